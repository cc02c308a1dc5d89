"""Best lines of positions, and the verdicts of reviews, by the search of each game's player."""
