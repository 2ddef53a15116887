"""Where the index comes from."""
