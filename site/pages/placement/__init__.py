"""The page on which a newcomer finds a first rating by games against levels."""
