"""Lessons of Colonel Blotto: past rounds, and the action that the opponent has sealed."""

from django.utils.translation import gettext_lazy as _

from pages.learn.lesson_goals import draws, every, leaves_empty, scores
from pages.learn.lessons import Lesson

LESSONS = (
    Lesson(
        "win",
        _("Win a round"),
        _(
            "Put your ten troops on the three fields; on each the greater number gets 2 points. "
            "Fletcher has put 4 on the Hill, 3 on the Ford and 3 in the Wood. Win the round."
        ),
        _("Two fields are enough: a round ends 4 to 2, 3 to 3 or 2 to 4, and no other way."),
        _("Get more troops than Fletcher on two of the fields; the third may be lost."),
        "-",
        scores(4),
        ("troops 5 4 1",),
        "troops 4 3 3",
    ),
    Lesson(
        "leave",
        _("Leave a field to them"),
        _(
            "Fletcher has put 8 on the Ford, and 1 on each of the others. Win the round without a "
            "single troop on the Ford."
        ),
        _(
            "A field lost by one or by eight costs the same. The troops you spare there count "
            "elsewhere."
        ),
        _("Nothing on the Ford, and more than Fletcher on the Hill and in the Wood."),
        "-",
        every(scores(4), leaves_empty(1)),
        ("troops 5 0 5",),
        "troops 1 8 1",
    ),
    Lesson(
        "level",
        _("Equal numbers share"),
        _(
            "Equal numbers on a field give 1 point each, also nobody against nobody. Fletcher has "
            "put 5 on the Hill, 5 on the Ford and none in the Wood. Make the round level, 3 to 3."
        ),
        _("Six points are shared out in every round, thirty in a game."),
        _("One field won, one lost and one shared is level; so are three shared ones."),
        "-",
        scores(3),
        ("troops 6 4 0",),
        "troops 5 5 0",
    ),
    Lesson(
        "habit",
        _("Read a habit"),
        _(
            "Nobody sees orders before both players have locked in, but past rounds are open. Look "
            "at what Fletcher has done so far, guess the next orders, and win round 4."
        ),
        _("No split is safe: each is beaten by another. So habits are what loses."),
        _("Fletcher’s numbers 6, 3 and 1 go round by one field each time."),
        "4,3,3:6,3,1/4,4,2:3,1,6/2,4,4:1,6,3",
        scores(4),
        ("troops 0 5 5",),
        "troops 6 3 1",
    ),
    Lesson(
        "last",
        _("The last round"),
        _(
            "It stands 11 to 13, and Fletcher has put 5, 5 and none in every round. A round gives "
            "4 points at most: get them, and the game is drawn."
        ),
        _("15 to 15 is a draw. After round five the sum of all points decides, and nothing else."),
        _("Two of the three fields have to be yours alone."),
        "5,5,0:5,5,0/6,4,0:5,5,0/0,2,8:5,5,0/10,0,0:5,5,0",
        draws,
        ("troops 6 0 4",),
        "troops 5 5 0",
    ),
)
