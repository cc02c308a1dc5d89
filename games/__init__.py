"""Rules of the five games: pure values and functions, independent of the site."""
