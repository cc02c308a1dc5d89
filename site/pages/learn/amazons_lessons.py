"""Lessons of the three Amazons. Rows from the top; W and B amazons, x burnt."""

from django.utils.translation import gettext_lazy as _

from pages.learn.lesson_goals import burns, ends_on, every, is_shut_in, keeps, owns, wins
from pages.learn.lessons import Lesson


def _position(*rows: str) -> str:
    return f"{'/'.join(rows)} white - 0"


SMALL = (
    Lesson(
        "shoot",
        _("A move, then a shot"),
        _(
            "Your amazon goes as far as she likes along a row, a column or a diagonal. From where "
            "she stands then, she shoots in the same way. Burn e6."
        ),
        _("A burnt square stays burnt: nobody enters it, passes it or shoots over it."),
        _("Go first to a square from which a straight line leads to e6, then shoot there."),
        _position(
            "......B.",
            "........",
            "........",
            "........",
            "........",
            "........",
            ".W......",
            "........",
        ),
        burns("e6"),
        ("move 2 2 2 6", "fire 5 6"),
    ),
    Lesson(
        "back",
        _("Over the square just left"),
        _(
            "The square that she leaves is empty by the time she shoots: the arrow may fly over "
            "it, and may land on it. Burn b1."
        ),
        _("So there is always a shot after a move: if nothing else, the square just left."),
        _("Go to the right along the row, and shoot back over c1."),
        _position(
            "........",
            ".....B..",
            "........",
            "........",
            "........",
            "........",
            "xxxxx...",
            "x.W.....",
        ),
        burns("b1"),
        ("move 3 1 6 1", "fire 2 1"),
    ),
    Lesson(
        "shut-in",
        _("Shut her in"),
        _(
            "Whoever cannot move when it is their turn has lost. The dark amazon has one way out. "
            "Burn the square that shuts her in."
        ),
        _("She cannot move, so the game is won. Nothing is ever captured; space is all."),
        _("She can still get out. Her only free neighbour is h7."),
        _position(
            "......xB",
            "......x.",
            "........",
            "...x....",
            "........",
            ".W......",
            "........",
            "........",
        ),
        wins,
        ("move 2 3 8 3", "fire 8 7"),
    ),
    Lesson(
        "gate",
        _("Close the gate"),
        _(
            "A wall parts the board, with a gate at d4. Burn the gate from your own side, and the "
            "whole left side is yours."
        ),
        _("A room that only you can reach is a store of moves for the end."),
        _("Stay on the left of the wall, and burn d4."),
        _position(
            "...x....",
            "...x....",
            "...x..B.",
            "...x....",
            "........",
            "...x....",
            ".W.x....",
            "...x....",
        ),
        every(burns("d4"), owns(20)),
        ("move 2 2 2 4", "fire 4 4"),
    ),
    Lesson(
        "waste",
        _("Waste no room"),
        _(
            "She is alone in her room, with four free squares. Every turn costs one of them; a "
            "careless one costs more. Play so that she can still get to three."
        ),
        _("At the end both sides fill their own rooms, and the one with more squares left wins."),
        _("Your arrow has cut off a part of your own room. Burn a square at its end."),
        _position(
            "......B.",
            "........",
            "xx......",
            ".x......",
            ".x......",
            "Wx......",
            ".x......",
            ".x......",
        ),
        owns(3),
        ("move 1 3 1 5", "fire 1 1"),
    ),
)

LARGE = (
    Lesson(
        "shoot",
        _("A turn has two steps"),
        _(
            "One of your amazons goes any distance in a straight line; then the same amazon shoots "
            "in a straight line. Burn h8 with either of the two."
        ),
        _("Only the amazon that has moved can shoot, and she must."),
        _("First a square that has h8 on one of its eight lines, then h8 itself."),
        _position(
            "..........",
            "...B......",
            "..........",
            "..........",
            "..........",
            "..........",
            "......W...",
            "..........",
            "..........",
            "...W......",
        ),
        burns("h8"),
        ("move 7 4 7 7", "fire 8 8"),
    ),
    Lesson(
        "back",
        _("Over the square just left"),
        _(
            "Her own square is empty as soon as she has moved: the arrow may fly over it, or land "
            "on it. Burn c3, the end of the pocket."
        ),
        _("The arrow flew over d4, where she stood a moment before."),
        _("Go along the diagonal, away from c3, and shoot back over d4."),
        _position(
            "..........",
            ".......B..",
            "..........",
            "..........",
            "..........",
            "..........",
            ".xxW......",
            ".x.x......",
            ".xxx......",
            "..........",
        ),
        burns("c3"),
        ("move 4 4 6 6", "fire 3 3"),
    ),
    Lesson(
        "two-ways",
        _("Two ways out"),
        _(
            "The dark amazon has two squares to flee to. Stand on one of them and burn the other, "
            "and she has lost."
        ),
        _("An amazon blocks as well as a burnt square does, as long as she stays."),
        _("One of the two squares, i9 and j9, is still open to her."),
        _position(
            "........xB",
            "..........",
            "..........",
            "..x.......",
            "..........",
            "....W.....",
            "..........",
            "......x...",
            "..........",
            "..........",
        ),
        wins,
        ("move 5 5 9 9", "fire 10 9"),
    ),
    Lesson(
        "gate",
        _("Through the gate"),
        _(
            "Below the wall lies a large room, and your amazon stands outside. Turn in through f5 "
            "and burn it behind you."
        ),
        _("Forty squares that your opponent can never enter: that is how games are won."),
        _("End below the wall, and let the arrow close f5."),
        _position(
            "..........",
            "..B.......",
            "..........",
            "..........",
            ".....W....",
            "xxxxx.xxxx",
            "..........",
            "..........",
            "..........",
            "..........",
        ),
        every(burns("f5"), owns(30)),
        ("move 6 6 6 3", "fire 6 5"),
    ),
    Lesson(
        "waste",
        _("Waste no room"),
        _(
            "She is alone in a bent corridor, with six free squares. Play so that she can still "
            "get to five of them."
        ),
        _("With one square lost at each turn, she has five turns more. Count rooms like that."),
        _("Your arrow has cut the corridor in two. Burn a square at one end of it."),
        _position(
            ".......B..",
            "..........",
            "..........",
            "..........",
            "..........",
            "xx........",
            ".x........",
            ".x........",
            ".xxxx.....",
            "W...x.....",
        ),
        owns(5),
        ("move 1 1 1 2", "fire 1 4"),
    ),
)

FREE = (
    Lesson(
        "one",
        _("Move and shot are one"),
        _(
            "You choose an amazon, her square and the arrow’s target, and all of it is played at "
            "once. Burn h5."
        ),
        _("Your opponent sees the move and the arrow together, never the move alone."),
        _("Go to a square that has h5 on one of its eight lines, and let the arrow land there."),
        _position(
            "..........",
            "...B......",
            "..........",
            "..........",
            "..........",
            "..........",
            "..........",
            "..........",
            ".W........",
            "..........",
        ),
        burns("h5"),
        ("play 2 2 8 2 8 5",),
    ),
    Lesson(
        "keep",
        _("Don’t shoot"),
        _(
            "Here an arrow need not be shot. As its target choose the ring on the square that the "
            "amazon has left, or press “Don’t shoot”. Go to g7, and burn nothing."
        ),
        _("Every move can be played without an arrow: this is what sets this game apart."),
        _("Go to g7, then don’t shoot."),
        _position(
            "..........",
            ".B........",
            "..........",
            "..........",
            "..........",
            "..x.......",
            "..........",
            "......W...",
            "..........",
            "..........",
        ),
        every(keeps, ends_on("g7")),
        ("play 7 3 7 7 7 3",),
    ),
    Lesson(
        "over",
        _("Over it, but not on it"),
        _(
            "The arrow may fly over the square that she has left. It cannot burn that square, for "
            "choosing it means keeping the arrow. Burn b1."
        ),
        _("In the other two Amazons the square just left may be burnt; here alone it may not."),
        _("Go to the right along the row, and shoot back over c1."),
        _position(
            "..........",
            ".....B....",
            "..........",
            "..........",
            "..........",
            "..........",
            "..........",
            "..........",
            "xxxxx.....",
            "x.W.......",
        ),
        burns("b1"),
        ("play 3 1 6 1 2 1",),
    ),
    Lesson(
        "room",
        _("A room that lasts"),
        _(
            "She is alone in her room, with four free squares. Play a turn after which there are "
            "still four."
        ),
        _(
            "Only she can reach these squares, so they are yours when the squares are counted. "
            "Every arrow that you shoot in your own room costs you one."
        ),
        _("An arrow burns a square of your own room. Keep it."),
        _position(
            "......B...",
            "..........",
            "..........",
            "..........",
            "xx........",
            ".x........",
            ".x........",
            "Wx........",
            ".x........",
            ".x........",
        ),
        owns(4),
        ("play 1 3 1 5 1 3",),
    ),
    Lesson(
        "both",
        _("Nobody can move"),
        _(
            "Only the side whose turn it is can lose. Stand before the dark amazon, and burn the "
            "way behind you, so that neither of you can move."
        ),
        _("It is Black’s turn, and Black has none: you win, shut in as you are."),
        _("Go to a9, and burn a8 behind you. Whatever else shuts her in would win too."),
        _position(
            "Bx........",
            ".x........",
            ".x........",
            "Wx........",
            ".x........",
            "x.........",
            "..........",
            "..........",
            "..........",
            "..........",
        ),
        every(wins, is_shut_in),
        ("play 1 7 1 9 1 8",),
    ),
)
