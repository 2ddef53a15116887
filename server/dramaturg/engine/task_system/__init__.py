"""From a task's name and inputs to a typed result."""
