"""Computer player of Blotto."""
