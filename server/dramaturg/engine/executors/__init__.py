"""The system's direct tools."""
