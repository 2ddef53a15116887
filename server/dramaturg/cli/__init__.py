"""The same core from the shell."""
