"""Reasons for which lobbies refuse requests: words for programs, sentences for people."""

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
    OWN_OFFER = "own_offer"
    FASTER = "faster"
    TOO_MANY_OPEN = "too_many_open"
    TOO_MANY_HERE = "too_many_here"
    OWN = "own"
    NAME = "name"
    NOBODY = "nobody"
    YOURSELF = "yourself"
    UNAVAILABLE = "unavailable"
    RESERVED = "reserved"
    NO_ACCOUNT = "no_account"
    UNRATABLE = "unratable"
    CASUAL_LEVEL = "casual_level"
    PAUSED = "paused"
    CASUAL_PAIR = "casual_pair"
    PAIR_LIMIT = "pair_limit"
    NO_PLACEMENT = "no_placement"
    BEING_COUNTED = "being_counted"


# CLOSED is also the refusal if one of two users blocks the other.
SENTENCES: Mapping[Reason, str | Promise] = {
    Reason.TAKEN: _("Someone else just took that seat."),
    Reason.FULL: _("This game is full."),
    Reason.NOT_SEATED: _("You haven’t joined this game."),
    Reason.NOT_HOST: _("Only the host can do that."),
    Reason.STARTED: _("The game has already started."),
    Reason.CLOSED: _("This game isn’t available."),
    Reason.CHANGED: _("The host has just changed the game."),
    Reason.BARRED: _("The host removed you. You can join again in a minute."),
    Reason.EMPTY: _("That player has already left."),
    Reason.NO_SIDES: _("Sides are random here, so there is nothing to swap."),
    Reason.TOO_MANY: _("You have too many open games. Close one of them first."),
    Reason.WITHDRAWN: _("This game is no longer offered."),
    Reason.MALFORMED: _("That isn’t one of the choices on this page."),
    Reason.NO_LEVEL: _("The computer doesn’t play this game at that level."),
    Reason.NO_PERSON: _("Join first: someone has to play against the computer."),
    Reason.TOO_MANY_GAMES: _(
        "You have too many games against the computer. Finish or resign one of them first."
    ),
    Reason.NO_SHOWS: _(
        "You missed the start of several games. You can search again in a few minutes."
    ),
    Reason.OWN_OFFER: _("This is your own open game. Change it under “Your open games”."),
    Reason.FASTER: _("Someone else was faster."),
    Reason.TOO_MANY_OPEN: _("You have too many open games. Remove one of them first."),
    Reason.TOO_MANY_HERE: _(
        "Too many open games were created from your network today. Try again tomorrow."
    ),
    Reason.NO_SEARCH: _("You can’t search for another opponent after this game."),
    Reason.BUSY: _("Too many changes at once. Nothing was changed. Try again."),
    Reason.OWN: _("That’s your own invitation. Send it to a friend."),
    Reason.NAME: _("Choose another name."),
    Reason.NOBODY: _("No one has that name."),
    Reason.YOURSELF: _("You can’t challenge yourself."),
    Reason.UNAVAILABLE: _("This player isn’t taking challenges right now."),
    Reason.RESERVED: _("This game isn’t available."),
    Reason.NO_ACCOUNT: _("This game is rated. Sign in or sign up to play it."),
    Reason.UNRATABLE: _("Your opponent has no account, so this game can’t be rated."),
    Reason.CASUAL_LEVEL: _("Games against the computer aren’t rated. Make this game casual first."),
    Reason.PAUSED: _("You can’t play rated games right now."),
    Reason.CASUAL_PAIR: _("This pairing is casual."),
    Reason.PAIR_LIMIT: _(
        "You two have played three rated games in 24 hours. Play a casual one, or come back later."
    ),
    Reason.NO_PLACEMENT: _("There is no game to play here: your level is found."),
    Reason.BEING_COUNTED: _("Your last game is being counted. Try again in a moment."),
}


class Refused(Exception):
    """Raised when a request is refused; nothing was changed."""

    def __init__(self, reason: Reason, say: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.say = say or str(SENTENCES[reason])
