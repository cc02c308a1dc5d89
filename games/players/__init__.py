"""Computer players: choose an action and report the evaluation. No I/O and no threads.

Importing `levels` is cheap; only `player_of` imports the engines, and numba with them.
"""
