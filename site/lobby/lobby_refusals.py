"""Reasons for which a lobby refuses a request: a word for programs, a sentence for people."""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Reason(StrEnum):
    """Wire words of refusals; `SENTENCES` has their texts for people."""

    TAKEN = "taken"
    FULL = "full"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    STARTED = "started"
    CLOSED = "closed"
    CHANGED = "changed"
    BARRED = "barred"
    EMPTY = "empty"
    NO_SIDES = "no_sides"
    TOO_MANY = "too_many"
    WITHDRAWN = "withdrawn"
    MALFORMED = "malformed"
    BUSY = "busy"
    NO_LEVEL = "no_level"
    NO_PERSON = "no_person"
    TOO_MANY_GAMES = "too_many_games"
    NO_SHOWS = "no_shows"
    NO_SEARCH = "no_search"


SENTENCES: Mapping[Reason, str | Promise] = {
    Reason.TAKEN: _("Somebody else has just taken that seat."),
    Reason.FULL: _("Both seats are taken. You can stay and watch."),
    Reason.NOT_SEATED: _("You have no seat here."),
    Reason.NOT_HOST: _("Only the host can do that."),
    Reason.STARTED: _("The game has started; its seats and options are fixed now."),
    Reason.CLOSED: _("This lobby is closed."),
    Reason.CHANGED: _("The host has changed this lobby since you looked."),
    Reason.BARRED: _("The host has just given your seat free. Sit down again in a minute."),
    Reason.EMPTY: _("Nobody sits there any more."),
    Reason.NO_SIDES: _("Sides are random here, so there is nothing to swap."),
    Reason.TOO_MANY: _("You have many lobbies open already. Close one of them first."),
    Reason.WITHDRAWN: _("The game of this lobby is no longer offered here."),
    Reason.MALFORMED: _("That choice is not one that this page offers."),
    Reason.NO_LEVEL: _("The computer does not play that game at that level here."),
    Reason.NO_PERSON: _("Somebody has to play against the computer: take the other seat first."),
    Reason.TOO_MANY_GAMES: _(
        "You have many games against the computer running. Finish or resign one of them first."
    ),
    Reason.NO_SHOWS: _(
        "You missed the start of several games. You can search again in a few minutes."
    ),
    Reason.NO_SEARCH: _("That game is not one to look for another opponent after."),
    Reason.BUSY: _("Too many people changed this lobby at once. Nothing was changed; try again."),
}


class Refused(Exception):
    """Raised when a request is refused; nothing was changed."""

    def __init__(self, reason: Reason, say: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.say = say or str(SENTENCES[reason])
