"""Which files matter for a query? The executors of the `associative_matching` task."""
