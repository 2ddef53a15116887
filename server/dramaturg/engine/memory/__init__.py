"""Which files are there, and which of them matter for a task?"""
