"""Derive notices from committed games and lobbies, by the process that holds the lease."""
