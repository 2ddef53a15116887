"""Editor features as pure functions over a snapshot: offsets in, plain data out."""
