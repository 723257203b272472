"""The console: one model and one grammar, and the shells that show them."""
