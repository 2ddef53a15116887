"""What is wrong with a program, found without running it: a module a rule, gathered in `registry`."""
