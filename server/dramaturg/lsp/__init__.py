"""The only place that knows pygls and lsprotocol."""
