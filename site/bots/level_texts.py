"""Texts about the computer players: a sentence on how each level plays each game."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Text = str | Promise

# Weakest first, one for each level.
_AMAZONS: tuple[Text, ...] = (
    gettext_lazy("Looks one turn ahead, and often takes a weaker square. A good first opponent."),
    gettext_lazy("Looks one turn ahead, and takes one of the better ones. It walks into traps."),
    gettext_lazy("Holds its own space, and misses what you build up slowly."),
    gettext_lazy("Sees your next answer. It resigns when the game is lost."),
    gettext_lazy("Plans a few turns ahead, and shuts you in if you let it."),
    gettext_lazy("Weighs the whole board. It rarely wastes an arrow."),
    gettext_lazy("Searches far ahead, and gives few second chances."),
    gettext_lazy("Thinks the longest. Strong players have to work for a win."),
)
_ALWAYS_SHOOTS = gettext_lazy("It never keeps an arrow.")
_KEEPS = gettext_lazy(
    "Thinks the longest, and keeps an arrow where that saves it. Hard to shut in."
)
_BLOTTO: tuple[Text, ...] = (
    gettext_lazy("Has a favourite field in each match, and sends nearly everybody there."),
    gettext_lazy("Begins evenly, then likes to place what you placed in the round before."),
    gettext_lazy("Likes to repeat what has won, and to move it one field on after a loss."),
    gettext_lazy("Likes to place what would have beaten your last split."),
    gettext_lazy("Counts what you send to each field, and plays against your average."),
    gettext_lazy("Mixes well, but its largest force likes to move on to the next field."),
    gettext_lazy("Plays the best mix for a single round, whatever the score."),
    gettext_lazy("Plays the best mix for the match and its score. There is nothing to find out."),
)
_PINCER: tuple[Text, ...] = (
    gettext_lazy("Moves about, and overlooks many captures. A good first opponent."),
    gettext_lazy("Takes what it can take at once, and overlooks your answer."),
    gettext_lazy("Sees its own captures, and the plainest of yours."),
    gettext_lazy("Thinks one turn of each side through. It resigns when the game is lost."),
    gettext_lazy("Sets simple traps, and stays out of yours."),
    gettext_lazy("Looks several turns ahead: a loose piece is soon gone."),
    gettext_lazy("Gives nothing away, and holds a lead until the last move."),
    gettext_lazy("Sees ten steps ahead and more. It forgives no mistake."),
)
SENTENCES: Mapping[str, tuple[Text, ...]] = {
    "amazons-10x10": _AMAZONS,
    "amazons-8x8": _AMAZONS,
    "amazons": (*(format_lazy("{} {}", say, _ALWAYS_SHOOTS) for say in _AMAZONS[:-1]), _KEEPS),
    "blotto": _BLOTTO,
    "pincer": _PINCER,
}
NEEDS_NUMBA = gettext_lazy("Not here: this level needs numba, which this server lacks.")


def level_sentence(key: str, level: int) -> str:
    """Return the sentence on how a level (1 to 8) plays a game."""
    return str(SENTENCES[key][level - 1])


def absence_text(state: Mapping[str, object]) -> tuple[str, str] | None:
    """Return two sentences, on what the workers lack and what it means; None if they are ready.

    `state` is the result of `thought_log.state`.
    """
    if not state["workers"]:
        return (
            _("The computer is not there just now."),
            _("You can begin a game: it plays on as soon as it is back."),
        )
    if not state["warm"]:
        return (
            _("The computer is getting ready."),
            _("Its first reply takes up to half a minute."),
        )
    return None
