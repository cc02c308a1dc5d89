"""Placement of newcomers by games against levels: choice of the next game, and the final entry."""
