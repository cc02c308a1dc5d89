"""Puzzles out of finished games: a proof for each, and a check of its own."""
