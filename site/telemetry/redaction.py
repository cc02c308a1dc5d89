"""Shorten keys for log messages: the key of a private game gives access to it."""

KEPT_CHARS = 4  # the other 18 still have 105 bits of entropy


def shorten_key(key: str) -> str:
    """Return the beginning of a key; `slug LIKE 'abcd%'` finds its row."""
    return f"{key[:KEPT_CHARS]}…" if len(key) > KEPT_CHARS else key
