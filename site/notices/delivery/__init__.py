"""Posts: schedule the pushes and mails of notices, and keep the queue of due ones."""
