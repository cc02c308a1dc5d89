"""The notices of one user: records, read marks, the bell and its page."""
