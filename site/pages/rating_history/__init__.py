"""The page of a person's rating in one game: curve, last changes, and their arithmetic."""
