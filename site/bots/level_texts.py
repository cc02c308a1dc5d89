"""Texts about the computer players: a sentence on how each level plays each game."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Text = str | Promise

# Weakest first, one for each level.
_AMAZONS: tuple[Text, ...] = (
    gettext_lazy("Looks one move ahead, and often picks a weaker square. A good first opponent."),
    gettext_lazy("Looks one move ahead, and picks one of the better moves. Walks into traps."),
    gettext_lazy("Guards its own space, but misses slow plans."),
    gettext_lazy("Sees your next reply. Resigns when the game is lost."),
    gettext_lazy("Plans a few moves ahead, and shuts you in if you let it."),
    gettext_lazy("Weighs the whole board, and rarely wastes an arrow."),
    gettext_lazy("Searches far ahead, and gives few second chances."),
    gettext_lazy("Thinks the longest. Strong players have to work for a win."),
)
_ALWAYS_SHOOTS = gettext_lazy("It always shoots.")
_KEEPS = gettext_lazy(
    "Thinks the longest, and skips the arrow when that saves it. Hard to shut in."
)
_BLOTTO: tuple[Text, ...] = (
    gettext_lazy("Has a favourite field in each match, and sends almost all its troops there."),
    gettext_lazy("Starts evenly, then tends to copy your last round."),
    gettext_lazy("Tends to repeat a winning split, and to shift it one field after a loss."),
    gettext_lazy("Tends to play the split that beats your last one."),
    gettext_lazy("Tracks your troops on each field, and plays against your average."),
    gettext_lazy("Mixes well, but its largest force tends to move to the next field."),
    gettext_lazy("Plays the best mix for a single round, whatever the score."),
    gettext_lazy("Plays the best mix for the match and the score. It has no habits to find."),
)
_PINCER: tuple[Text, ...] = (
    gettext_lazy("Wanders about, and overlooks many captures. A good first opponent."),
    gettext_lazy("Takes anything it can, and overlooks your reply."),
    gettext_lazy("Sees its own captures, and your most obvious ones."),
    gettext_lazy("Thinks through one move for each side. Resigns when the game is lost."),
    gettext_lazy("Sets simple traps, and stays out of yours."),
    gettext_lazy("Looks several moves ahead: a loose piece is soon gone."),
    gettext_lazy("Gives nothing away, and holds a lead to the end."),
    gettext_lazy("Sees ten or more steps ahead. It forgives no mistake."),
)
SENTENCES: Mapping[str, tuple[Text, ...]] = {
    "amazons-10x10": _AMAZONS,
    "amazons-8x8": _AMAZONS,
    "amazons": (*(format_lazy("{} {}", say, _ALWAYS_SHOOTS) for say in _AMAZONS[:-1]), _KEEPS),
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
    """Return two sentences, on what the workers lack and what it means; None if they are ready.

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
