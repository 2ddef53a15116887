"""Where completions come from, behind one small protocol."""
