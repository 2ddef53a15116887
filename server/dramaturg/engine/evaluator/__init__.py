"""Evaluating workflows: core to Python callables, run in a thread that may recurse deeply."""
