"""Leaderboards: the people of each pool in order, computed in passes and read in pages."""
