"""Computer players: they choose an action and tell what they thought. No input, output or thread.

Importing `levels` is cheap; the engines, and numba with them, are imported by `player_of` alone.
"""
