"""Posts: when a notice goes out by push or mail, and the queue of what is due."""
