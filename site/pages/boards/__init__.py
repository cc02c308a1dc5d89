"""Pages of the boards: the best of each game and speed, and of all games."""
