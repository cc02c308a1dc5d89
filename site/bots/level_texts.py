"""Texts about the computer players: a sentence on how each level plays each game."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Text = str | Promise

# Weakest first, one for each level.
_AMAZONS: tuple[Text, ...] = (
    gettext_lazy(
        "Glances at a few squares in one part of the board, and forgets your reply. A good first "
        "opponent."
    ),
    gettext_lazy("Mostly plays the first idea it sees, and walks into traps."),
    gettext_lazy("Guards its space when it takes its time. Many of its moves are hasty."),
    gettext_lazy("Sees your next reply, but is often hasty. Resigns when the game is lost."),
    gettext_lazy("Plans a few moves ahead, and is hasty now and then."),
    gettext_lazy("Weighs the whole board, with a few slips in a game."),
    gettext_lazy("Searches far ahead, and slips about once a game."),
    gettext_lazy("Thinks the longest. Strong players have to work for a win."),
)
# With the optional arrow the levels differ less in haste, and the upper ones have no lapses.
_FREE_ARROW: tuple[Text, ...] = (
    *_AMAZONS[:2],
    gettext_lazy("Guards its space, and is hasty now and then."),
    gettext_lazy("Takes its time, and sees your next reply. Resigns when the game is lost."),
    gettext_lazy("Plans a few moves ahead."),
    gettext_lazy("Weighs the whole board, and plans further ahead."),
    gettext_lazy("Searches far ahead."),
    _AMAZONS[7],
)
_COUNTS = gettext_lazy("It counts the squares when that suits it.")
_BLOTTO: tuple[Text, ...] = (
    gettext_lazy("Has a favourite field in each match, and sends almost all its troops there."),
    gettext_lazy("Starts evenly, then tends to copy your last round."),
    gettext_lazy("Tends to repeat a winning split, and to shift it one field after a loss."),
    gettext_lazy("Tends to play the split that beats your last one."),
    gettext_lazy("Tracks your troops on each field, and plays against your average."),
    gettext_lazy("Plays the best mix for the score, and leans a little against what you repeat."),
    gettext_lazy("Has no habits to find. Repeat yourself, and it leans against you."),
    gettext_lazy("Has no habits, and finds yours: cycles, copies and repeats. Changing is safest."),
)
_PINCER: tuple[Text, ...] = (
    gettext_lazy(
        "Takes what is free, hugs the walls, and leaves pieces hanging. A good first opponent."
    ),
    gettext_lazy("Takes what is free, and overlooks most of your replies."),
    gettext_lazy("Likes good squares, and overlooks many of your captures."),
    gettext_lazy("Still overlooks a capture now and then. Resigns when the game is lost."),
    gettext_lazy("Thinks its own move through, and at times forgets your reply."),
    gettext_lazy("Thinks through one move for each side, with a slip or two in a game."),
    gettext_lazy("Looks several steps ahead, and slips in about every other game."),
    gettext_lazy("Sees ten or more steps ahead. It forgives no mistake."),
)
SENTENCES: Mapping[str, tuple[Text, ...]] = {
    "amazons-10x10": _AMAZONS,
    "amazons-8x8": _AMAZONS,
    "amazons": tuple(format_lazy("{} {}", say, _COUNTS) for say in _FREE_ARROW),
    "blotto": _BLOTTO,
    "pincer": _PINCER,
}
NEEDS_NUMBA = gettext_lazy(
    "Not available: this level needs numba, which isn’t installed on this server."
)


def level_sentence(key: str, level: int) -> str:
    """Return the sentence on how a level (1 to 8) plays a game."""
    return str(SENTENCES[key][level - 1])


def absence_text(state: Mapping[str, object]) -> tuple[str, str] | None:
    """Return two sentences on a lack of the workers and its effect; None if they are ready.

    `state` is the result of `thought_log.state`.
    """
    if not state["workers"]:
        return (
            _("The computer isn’t available right now."),
            _("You can start a game: it moves as soon as it’s back."),
        )
    if not state["warm"]:
        return (
            _("The computer is getting ready."),
            _("Its first move can take up to 30 seconds."),
        )
    return None
