"""Computer player of Pincer."""
