"""Preferences of users: events, channels, time zone, quiet hours; their form and page."""
