"""Outlines and figures of avatars: SVG paths on a grid of 32 × 32.

Every outline holds the circle of radius 10 around the centre, in which the figures lie, so that
each figure fits into each outline.
"""

from typing import Final

OUTLINES: Final = (
    "M16 1a15 15 0 1 0 0 30 15 15 0 0 0 0-30z",  # disc
    "M6 2h20a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z",  # square
    "M3 2h26v14c0 8-6 12.5-13 15C9 28.5 3 24 3 16z",  # shield
    "M2.5 30.5V15a13.5 13.5 0 0 1 27 0v15.5z",  # arch
    "M10 2h12l8 8v12l-8 8H10l-8-8V10z",  # octagon
    "M2 2h15a13 13 0 0 1 13 13v15H15A13 13 0 0 1 2 17z",  # leaf
    "M16 0l15.5 12-5 19h-21l-5-19z",  # house
    "M16 .25L31.75 16 16 31.75.25 16z",  # lozenge
)
HEXAGON: Final = "M16 .5l14 7.75v15.5L16 31.5 2 23.75V8.25z"  # of computer players alone
FIGURES: Final = (
    "M16 8.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",  # disc
    "M16 7a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",  # ring
    "M16 6.5l2.7 6.3 6.8.6-5.2 4.5 1.6 6.7-5.9-3.6-5.9 3.6 1.6-6.7-5.2-4.5 6.8-.6z",  # star
    "M20 7.5a9 9 0 1 0 4.5 12.3A7.7 7.7 0 0 1 20 7.5z",  # crescent
    "M13.5 7.5h5v6h6v5h-6v6h-5v-6h-6v-5h6z",  # cross
    "M11 7.5l5 5 5-5 3.5 3.5-5 5 5 5-3.5 3.5-5-5-5 5L7.5 21l5-5-5-5z",  # saltire
    "M16 6.5l7 9.5-7 9.5L9 16z",  # diamond
    "M16 7.5L24.5 23h-17z",  # triangle
    "M16 8l9 8.5v6L16 14l-9 8.5v-6z",  # chevron
    "M16 6l6.5 8h-4v11.5h-5V14h-4z",  # arrow
    "M8 8.5h16v3.5H8zM8 14.25h16v3.5H8zM8 20h16v3.5H8z",  # bars
    "M8.5 8.5H16V16H8.5zM16 16h7.5v7.5H16z",  # quarters
    "M9 8h3.2v3h2.2V8h3.2v3h2.2V8H23v7h-2v9.5H11V15H9z",  # tower
    "M16 6c4 5.3 6.5 8.4 6.5 12a6.5 6.5 0 0 1-13 0c0-3.6 2.5-6.7 6.5-12z",  # drop
    "M18.5 6L9.5 17.5H15l-1.5 8.5 9-12H17z",  # bolt
    "M8.5 7.5h15L18 16l5.5 8.5h-15L14 16z",  # hourglass
    "M6.5 16Q16 6 25.5 16 16 26 6.5 16zm9.5-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",  # eye
    "M7.5 9.5L12 14l4-6.5 4 6.5 4.5-4.5V23h-17z",  # crown
    # heart, and two discs
    "M16 24.5l-7.3-7.3a4.5 4.5 0 0 1 6.4-6.4l.9.9.9-.9a4.5 4.5 0 0 1 6.4 6.4z",
    "M7.5 16a3.5 3.5 0 1 1 7 0 3.5 3.5 0 0 1-7 0zm10 0a3.5 3.5 0 1 1 7 0 3.5 3.5 0 0 1-7 0z",
    "M10 7h4.5v18H10zm7.5 0H22v18h-4.5z",  # pillars
    "M8 8h16v16H8zm4.5 4.5v7h7v-7z",  # frame
    "M7.5 12.5L16 21l8.5-8.5V19L16 26l-8.5-7zM13 7h6v6h-6z",  # anchor
    "M16 6.5L25 12l-9 5.5L7 12zm-9 11l9 5.5 9-5.5V21l-9 5.5L7 21z",  # layers
)
MASK: Final = "M7.5 13h17v6h-17zm3 1.5v3h3v-3zm8 0v3h3v-3z"  # of computers without a level
GONE: Final = (  # a ring with a bar
    "M16 2a14 14 0 1 0 0 28 14 14 0 0 0 0-28zm0 2.5a11.5 11.5 0 1 1 0 23 11.5 11.5 0 0 1 0-23z"
    "m-6.5 10.25h13v2.5h-13z"
)
