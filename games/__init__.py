"""The rules of the five games: pure values and functions, with no site around them."""
