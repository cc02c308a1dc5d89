"""Sentences for readers: why a game that was to be rated did not count."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rating.entries import NotRated

SENTENCES: Mapping[NotRated, str | Promise] = {
    NotRated.GUEST: _("Not rated: one of you played as a guest."),
    NotRated.COMPUTER: _("Not rated: a computer player took part."),
    NotRated.NO_CLOCK: _("Not rated: this game had no clock."),
    NotRated.NO_TURN: _("Not rated: the game ended before both players had moved."),
    NotRated.ABORTED: _("Not rated: the game was aborted."),
    NotRated.SERIAL_TIMEOUT: _(
        "Not rated: the player who ran out of time had lost other games that way this week."
    ),
    NotRated.RELATED: _("Not rated: this pairing is casual."),
    NotRated.UNVERIFIED: _("Not rated: the record of this game could not be verified."),
    NotRated.ANNULLED: _("Not rated: a moderator annulled this game."),
}


def sentence_of(reason: NotRated) -> str:
    """Return the sentence for a reason, in the reader's language."""
    return str(SENTENCES[reason])
