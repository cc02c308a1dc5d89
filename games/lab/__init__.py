"""Matches between computer players: many games from random openings, with statistics.

Only `series` (processor time, processes) and `commands` (output) have side effects.
"""
