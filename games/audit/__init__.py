"""Independent audit of a ledger: recompute everything from its entries.

Uses the rules of the games and nothing of the site. Each fault is an English sentence that begins
with its rev.
"""
