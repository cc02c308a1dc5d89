"""The picture of a game for links that are shared: 1200 by 630 pixels, in the light colours."""
