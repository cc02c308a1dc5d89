"""The opening explorer: how the first turns of public games were played, and how these ended."""
