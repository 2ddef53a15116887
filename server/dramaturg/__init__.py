"""Dramaturg: a language server and runner for LLM workflows written as S-expressions."""

__version__ = "0.1.0"
