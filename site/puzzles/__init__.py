"""Puzzles out of public games, and the position of the day."""
