"""Heading and status of a lobby for one viewer: waiting, invitation, full, or closed."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.catalogue import RULES
from games.counting import may_be_counted
from lobby.models import OTHER, Lobby, Place
from play.domain.abandonment import AWAY_SLOW_MS
from play.domain.clocks import DAY_MS, now
from play.game_texts import RULES_TEXTS, name_of
from play.time_controls import long_clock_label

CLOSED = {
    Lobby.Why.HOST: gettext_lazy("The host closed this game."),
    Lobby.Why.JOINED: gettext_lazy("The host is playing another game."),
    Lobby.Why.DECLINED: gettext_lazy("The challenge was declined."),
    "": gettext_lazy("This game is closed."),
}

CLOSED_FOR_HOST = {
    Lobby.Why.HOST: gettext_lazy("You closed this game."),
    Lobby.Why.JOINED: gettext_lazy("You’re playing another game."),
    Lobby.Why.DECLINED: gettext_lazy("Your challenge was declined."),
    "": gettext_lazy("This game is closed."),
}


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a lobby for one viewer; at most one of `is_invited` and `is_full` holds."""

    heading: str
    say: str  # the state, and a suggestion for the meantime
    waiting_time: str  # how long the lobby waits for its host; empty if it does not wait
    is_waiting: bool  # the viewer is the only one there, so the page offers the link
    is_invited: bool  # the viewer may take the free seat, and the game starts then
    is_full: bool  # the game is played by two others


def status_of(lobby: Lobby, viewer_id: int | None) -> Status:
    """Returns the state of a lobby for a viewer (None: a visitor without a session)."""
    mine = lobby.place_of(viewer_id)
    is_open = lobby.status == Lobby.Status.OPEN
    is_invited = _is_invited(lobby, mine, viewer_id)
    is_full = _is_full(lobby, mine, viewer_id)
    is_waiting = bool(is_open and mine and lobby.free)
    return Status(
        _heading(lobby, viewer_id, is_invited, is_full, is_waiting),
        _sentence(lobby, mine, is_invited, is_full)
        if lobby.status != Lobby.Status.CLOSED
        else _closing_reason(lobby, lobby.host_id == viewer_id),
        _waiting_time(lobby) if is_open and lobby.host_id == viewer_id else "",
        is_waiting,
        is_invited,
        is_full,
    )


def _is_invited(lobby: Lobby, mine: Place | None, viewer_id: int | None) -> bool:
    if lobby.status != Lobby.Status.OPEN or mine or lobby.host_id == viewer_id:
        return False
    if lobby.game is not None or lobby.barred_until(viewer_id) > now():
        return False
    if lobby.is_reserved_from(viewer_id):
        return False
    held = [place for place in lobby.places if place.user]
    return len(held) == 1 and held[0].is_ready and held[0].user.pk == lobby.host_id  # type: ignore[union-attr]


def _is_full(lobby: Lobby, mine: Place | None, viewer_id: int | None) -> bool:
    """Returns whether the viewer comes too late.

    Visitors of a public lobby go to its running game as spectators, if it has any.
    """
    if mine or lobby.host_id == viewer_id:
        return False
    if lobby.status == Lobby.Status.PLAYING:
        return not (lobby.is_public and lobby.watch)
    return lobby.status == Lobby.Status.OPEN and not lobby.is_public and lobby.free is None


def _heading(
    lobby: Lobby, viewer_id: int | None, is_invited: bool, is_full: bool, is_waiting: bool
) -> str:
    names = {"host": lobby.host.username, "game": name_of(lobby.rules)}
    if lobby.status == Lobby.Status.CLOSED:
        return _("This game is closed")
    if is_full:
        return _("This game is full")
    if is_invited:
        if lobby.is_public:
            return _("Play %(game)s against %(host)s") % names
        return invitation_title(lobby)
    if lobby.host_id != viewer_id:
        return _("%(host)s’s lobby") % names
    if is_waiting and lobby.game is None and not lobby.is_public and lobby.invited_id is None:
        return _("Invite a friend")
    return _("Your lobby")


def invitation_title(lobby: Lobby) -> str:
    """Returns the title of the page and of link previews: the host's name and the game."""
    names = {"host": lobby.host.username, "game": name_of(lobby.rules)}
    return _("%(host)s invites you to %(game)s") % names


def invitation_text(lobby: Lobby) -> str:
    """Returns the text that a host sends with the link: host, game and clock."""
    text = f"{invitation_title(lobby)}, {long_clock_label(lobby.rules, lobby.clock)}"
    return _("%(invitation)s, rated") % {"invitation": text} if lobby.is_rated else text


def invitation_terms(lobby: Lobby) -> str:
    """Returns clock, side, rating and an unusual end of an invitation.

    For example: `5 min + 3 s. You move second. Rated.`
    """
    clock = long_clock_label(lobby.rules, lobby.clock)
    is_random = lobby.side == "lot"
    side = _("Random sides") if is_random else RULES_TEXTS[lobby.rules].own[OTHER[lobby.side]]
    terms = pgettext("clock and side", "%(clock)s. %(side)s.") % {
        "clock": clock[:1].upper() + clock[1:],
        "side": side,
    }
    if lobby.is_rated:
        terms += " " + rated_text(lobby)
    if may_be_counted(RULES[lobby.rules]) and not lobby.is_counted:
        terms += " " + _("Squares aren’t counted.")
    return terms


def rated_text(lobby: Lobby) -> str:
    """Returns the sentence on a rated game; of a private lobby, that its log becomes public too."""
    if lobby.is_public:
        return _("Rated.")
    return _("Rated. When it’s over, anyone can see the game and its log, but not the chat.")


def _sentence(lobby: Lobby, mine: Place | None, is_invited: bool, is_full: bool) -> str:
    """Returns the state of a lobby that is not closed, with a suggestion for the meantime."""
    if is_full:
        return _full_sentence(lobby)
    if lobby.status == Lobby.Status.PLAYING:
        return _("The game has started.")
    if is_invited:
        return invitation_terms(lobby)
    if not (mine and mine.is_ready and lobby.free):
        return _("The game starts when you’re both here and ready.")
    if not lobby.is_live:
        if lobby.is_public:
            return _("Waiting for an opponent. You can leave this page and come back.")
        return _("Waiting for your friend. You can leave this page and come back.")
    if lobby.is_public:
        return _("Looking for an opponent… Keep this page open.")
    return _("Waiting for your friend… Keep this page open.")


def _full_sentence(lobby: Lobby) -> str:
    if not lobby.watch:
        return _("Someone else has joined. Spectators aren’t allowed until the game is over.")
    if lobby.status == Lobby.Status.PLAYING:
        return _("Someone else has joined. You can watch.")
    return _("Someone else has joined. You can watch when the game starts.")


def _closing_reason(lobby: Lobby, is_host: bool) -> str:
    if lobby.why != Lobby.Why.AWAY:
        return str((CLOSED_FOR_HOST if is_host else CLOSED)[lobby.why])
    if not lobby.is_live:
        days = {"count": AWAY_SLOW_MS // DAY_MS}
        say = (
            _("You were away for %(count)s days.")
            if is_host
            else _("The host was away for %(count)s days.")
        )
        return say % days
    if lobby.is_public:
        say = _("You were away for five minutes.")
        return say if is_host else _("The host was away for five minutes.")
    return _("You were away for an hour.") if is_host else _("The host was away for an hour.")


def _waiting_time(lobby: Lobby) -> str:
    """Returns how long the lobby waits for its host."""
    if not lobby.is_live:
        return _("Your game stays open for %(count)s days.") % {"count": AWAY_SLOW_MS // DAY_MS}
    if lobby.is_public:
        return _("Your game closes when you’ve been away for five minutes.")
    return _("Your invitation closes when you’ve been away for an hour.")


def invitation_of(lobby: Lobby, status: Status) -> dict[str, Any] | None:
    """Returns the button of an invitation, or None if the viewer is not invited."""
    if not status.is_invited or lobby.free is None:
        return None
    shown = lobby.ratings.shown(lobby.host_id, lobby.pool)
    rating = _("Your opponent’s rating: %(rating)s") % {"rating": shown.full} if shown else ""
    return {"seat": lobby.free.number, "host": lobby.host.username, "rating": rating}


def full_of(lobby: Lobby, status: Status) -> dict[str, Any] | None:
    """Returns the address at which the game can be watched; None if the lobby is not full."""
    if not status.is_full:
        return None
    is_watched = lobby.status == Lobby.Status.PLAYING and lobby.watch and lobby.game is not None
    return {"watch": lobby.game.get_absolute_url() if is_watched else None}  # type: ignore[union-attr]
