"""A small catalogue of books."""
