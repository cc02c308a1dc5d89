"""The computer player of Amazons."""
