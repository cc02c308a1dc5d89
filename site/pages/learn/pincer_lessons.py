"""Lessons of Pincer. Rows from the top; W triangles, B circles."""

from django.utils.translation import gettext_lazy as _

from pages.learn.lesson_goals import takes, takes_at_least, wins
from pages.learn.lessons import Lesson


def _position(*rows: str, moves: int = 0) -> str:
    return f"{'/'.join(rows)} white - {moves} {moves // 2}"


LESSONS = (
    Lesson(
        "two-steps",
        _("Two steps, two triangles"),
        _(
            "A turn is two steps with two different triangles, each to the next square up, down, "
            "left or right. Bring one to each side of the circle on d4."
        ),
        _("A line of pieces that is held at both ends is taken. One piece is a line too."),
        _("Left and right of d4, or above and below it: both triangles have to stand beside it."),
        _position(
            ".......",
            ".......",
            "..W....",
            "...B...",
            "....W..",
            ".......",
            "B......",
        ),
        takes("d4"),
        ("move 3 5 3 4", "move 5 3 5 4"),
    ),
    Lesson(
        "wall",
        _("The wall holds as well"),
        _(
            "At one end of the line the wall is enough. Take the circle on a4 with one step; then "
            "your second step is to be made too, with the other triangle."
        ),
        _("At least one end has to be an enemy: two walls alone take nothing."),
        _("Step to b4: then a4 is held by the wall and by you."),
        _position(
            ".....B.",
            ".......",
            ".W.....",
            "B......",
            ".......",
            "....W..",
            ".......",
        ),
        takes("a4"),
        ("move 2 5 2 4", "move 5 2 5 3"),
    ),
    Lesson(
        "line",
        _("A whole line at once"),
        _(
            "An unbroken line of one colour, in a row or a column, is taken as a whole. Take all "
            "three circles."
        ),
        _("The longer the line, the more there is to lose. Diagonals never count."),
        _("One end is held already, at b4. Hold the other."),
        _position(
            "......B",
            ".......",
            ".....W.",
            ".WBBB..",
            ".......",
            "W......",
            ".......",
        ),
        takes("c4", "d4", "e4"),
        ("move 6 5 6 4", "move 1 2 1 3"),
    ),
    Lesson(
        "two-lines",
        _("Two lines with one step"),
        _(
            "After every single step the whole board is judged, rows and columns each for "
            "themselves. Take two circles in one turn."
        ),
        _("All lines that are held at the same moment come off together."),
        _("Look for the square that holds a line in its row and another in its column."),
        _position(
            ".......",
            "...W...",
            "...B...",
            ".WB....",
            "...W...",
            "......B",
            ".......",
        ),
        takes_at_least(2),
        ("move 4 3 4 4", "move 2 4 2 5"),
    ),
    Lesson(
        "between",
        _("Stepping in between"),
        _(
            "It does not matter who moved: whoever steps in between is taken. Step to d4, which "
            "holds c4, and see what it costs."
        ),
        _(
            "Both went at the same moment, c4 and your own triangle. A step that costs its own "
            "piece does not end the turn."
        ),
        _("Let the triangle on d3 step up, in between c4 and e4."),
        _position(
            "W......",
            ".......",
            ".......",
            ".WB.B..",
            "...W...",
            ".......",
            ".....B.",
        ),
        takes("c4", loses=1),
        ("move 4 3 4 4", "move 1 7 1 6"),
    ),
    Lesson(
        "fifty",
        _("The fiftieth step"),
        _(
            "Both sides together have made 48 steps. After the 50th the pieces are counted, and "
            "more pieces win. Two against two: win."
        ),
        _("Captures by the fiftieth step count too. Equal numbers would have been a draw."),
        _("You have two steps, and both triangles are near d3."),
        _position(
            ".....B.",
            ".......",
            ".......",
            "..W....",
            "...B...",
            "....W..",
            ".......",
            moves=48,
        ),
        wins,
        ("move 3 4 3 3", "move 5 2 5 3"),
    ),
)
