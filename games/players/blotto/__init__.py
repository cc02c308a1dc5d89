"""The computer player of Blotto."""
