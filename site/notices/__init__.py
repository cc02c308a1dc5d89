"""Notices: what happened to a user's games, in the bell, by push and by mail."""
