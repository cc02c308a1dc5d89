"""Pages for studying finished games."""
