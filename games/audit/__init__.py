"""Checks a ledger from the outside: everything is worked out anew from its entries.

Nothing here asks the site how it keeps or counts anything; the rules of the games are all that is
shared. What does not fit is told in sentences, each with the rev at which it shows.
"""
