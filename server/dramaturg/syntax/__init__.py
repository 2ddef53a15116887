"""Text to tree, for both languages; never raises: a tree and its problems come out."""
