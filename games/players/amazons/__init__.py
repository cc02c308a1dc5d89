"""Computer player of Amazons."""
