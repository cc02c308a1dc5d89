"""Ratings of people: Glicko-2, folded over games one by one, with the same result on every machine.

The state between two games consists of integers. All real arithmetic is made of operations that
IEEE 754 rounds the same way everywhere (`games.rating.exact`), so anybody can recompute each
rating of the site to the last digit from its public file: `python -m games rate FILE`.
"""
