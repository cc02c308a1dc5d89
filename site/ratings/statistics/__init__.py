"""Statistics of a person in one game at one speed: opponents, time used, first turns."""
