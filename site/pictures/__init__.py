"""Render a game's picture for shared links, 1200 by 630 pixels in light colours."""
