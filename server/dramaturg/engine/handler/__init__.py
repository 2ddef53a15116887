"""One handler session a task: turns, tools, limits, providers."""
