"""Sentences for readers: why a game that was to be rated did not count."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rating.entries import NotRated

SENTENCES: Mapping[NotRated, str | Promise] = {
    NotRated.COMPUTER: _("Not rated: games against the computer are casual."),
    NotRated.GUEST: _("Not rated: both players need an account."),
    NotRated.NO_CLOCK: _("Not rated: a rated game needs a clock."),
    NotRated.NO_TURN: _("Not rated: it ended before both players had moved."),
    NotRated.ABORTED: _("Not rated: it was aborted."),
    NotRated.SERIAL_TIMEOUT: _(
        "Not rated: the loser ran out of time in more than two games within seven days."
    ),
    NotRated.RELATED: _("Not rated: this pairing is casual."),
    NotRated.PAIR_LIMIT: _("Not rated: three games of the same two players count in 24 hours."),
    NotRated.UNVERIFIED: _("Not rated: the game log couldn’t be verified."),
    NotRated.ANNULLED: _("Not rated: a moderator annulled it."),
}


def sentence_of(reason: NotRated) -> str:
    """Return the sentence for a reason, in the reader's language."""
    return str(SENTENCES[reason])
