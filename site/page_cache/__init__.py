"""Cache of what all readers see alike of a page; names, tokens and sessions never enter it."""
