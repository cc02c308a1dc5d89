"""Lessons: a page for each rule set, with small positions to try its rules on."""
