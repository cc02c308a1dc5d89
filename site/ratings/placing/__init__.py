"""Placement of newcomers by games against levels: which game is next, and the entry at the end."""
