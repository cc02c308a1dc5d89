"""The page of the ladder: rungs by game, the boss of the week, and the hall of records."""
