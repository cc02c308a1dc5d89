"""The computer player of Pincer."""
