"""Redact keys in log messages: the key of a private game or lobby lets everybody in."""

KEPT = 4  # characters; the other 18 are still 105 bits of chance


def shortened(key: str) -> str:
    """Return the beginning of a key; `slug LIKE 'abcd%'` finds its row."""
    return f"{key[:KEPT]}…" if len(key) > KEPT else key
