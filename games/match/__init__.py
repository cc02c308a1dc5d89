"""Matches between computer players: many games from random openings, and what they prove.

`series` (processor time, processes) and `commands` (output) touch the world; the rest is pure.
"""
