"""The opening explorer: statistics of the first turns of public games and their results."""
