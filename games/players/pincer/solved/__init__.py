"""Exact values of Pincer: the solver, its files and the table of few pieces."""
