"""The page of a person's rating in one game: curve, last changes, and how each came about."""
