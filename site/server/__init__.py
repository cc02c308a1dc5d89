"""Daphne with bounds, limits of connections, health, metrics and the access log."""
