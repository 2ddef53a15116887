"""What a program means without running it."""
