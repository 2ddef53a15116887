"""Running tasks and workflows; it knows neither editors nor LSP and reports through one callable."""
