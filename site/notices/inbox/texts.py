"""Texts of notices for the bell, the page of notifications, push and mail.

They are in the active language; a caller that writes to somebody sets it. The time left is computed
when a text is made. Texts name games and people, never a position, a move or an order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.people.names import GONE
from games.catalogue import RULES
from lobby.models import Lobby
from notices.models import Kind, Notice
from play.domain.clocks import Clock, now
from play.game_texts import NAMES, time_left_text
from play.time_controls import clock_label

Text = str | Promise
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The text of a notice: title, a line below it, the path that it leads to, and its button."""

    title: str
    body: str
    url: str
    button: str


def notice_text(notice: Notice, at: int | None = None) -> NoticeText:
    """Return the text of a notice in the active language, as it is at `at` (epoch ms; now)."""
    kind = Kind(notice.kind)
    if notice.closed is not None and kind in _CLOSED_TITLES:
        title, body = str(_CLOSED_TITLES[kind]), _against(notice.data)
        return NoticeText(title, body, path_of(notice), _("View the game"))
    title, body = _WRITERS[kind](notice.data, now() if at is None else at)
    has_passed = notice.closed is not None and kind in (Kind.OFFER, Kind.PLAYS)
    button = _("View the game") if has_passed else str(_BUTTONS[kind])
    return NoticeText(title, body, path_of(notice), button)


def path_of(notice: Notice) -> str:
    """Return the path of the page that a notice is about."""
    if notice.kind == Kind.MODERATION:
        return reverse("terms")
    if notice.kind in (Kind.JOINED, Kind.HOLIDAY) and (slug := notice.data.get("game")):
        return reverse("game", args=[slug])
    if notice.kind in (Kind.CHALLENGE, Kind.JOINED):
        return reverse("lobby", args=[notice.subject])
    return reverse("game", args=[notice.subject])


def name_of_person(data: Data, key: str) -> str:
    """Return a name of the data; the name of a deleted user is replaced."""
    name = str(data.get(key) or "")
    return _("a deleted user") if not name or name.startswith(GONE) else name


def _opening_name(data: Data, key: str) -> str:
    """Return the name that begins a sentence: only words are capitalized, never a name."""
    name = name_of_person(data, key)
    return capfirst(name) if name == _("a deleted user") else name


def _game(data: Data) -> str:
    """Return the name of the game; the key of one that has been withdrawn."""
    key = str(data.get("rules", ""))
    return str(NAMES.get(key, key))


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _left(data: Data, at: int) -> str:
    deadline = data.get("deadline")
    return time_left_text(int(deadline) - at) if deadline is not None else ""


def _against(data: Data) -> str:
    names = {"game": _game(data), "name": name_of_person(data, "opponent")}
    return _("%(game)s against %(name)s") % names


def _turn(data: Data, at: int) -> tuple[str, str]:
    names = {"name": name_of_person(data, "opponent")}
    if data.get("is_first"):
        title = _("Your first turn against %(name)s") % names
    else:
        title = _("Your turn against %(name)s") % names
    return title, _joined(_game(data), _left(data, at))


def _half(data: Data, at: int) -> tuple[str, str]:
    return _("Half your time is gone"), _joined(_against(data), _left(data, at))


def _last(data: Data, at: int) -> tuple[str, str]:
    left = _left(data, at) or _("no time left")
    title = _("%(left)s against %(name)s") % {
        "left": capfirst(left),
        "name": name_of_person(data, "opponent"),
    }
    return title, _joined(_game(data), _("It’s your turn."))


_RESULTS: Mapping[str, Text] = {
    "won": gettext_lazy("You win."),
    "lost": gettext_lazy("You lose."),
    "drawn": gettext_lazy("Draw."),
    "void": gettext_lazy("Game aborted."),
}
_WON: Mapping[str, Text] = {
    "decided": gettext_lazy("The game was decided."),
    "counted": gettext_lazy("You have more squares."),
    "counted_quiet": gettext_lazy("You have more squares."),
    "counted_long": gettext_lazy("You have more squares."),
    "resigned": gettext_lazy("%(name)s resigned."),
    "time": gettext_lazy("%(name)s ran out of time."),
    "abandoned": gettext_lazy("%(name)s left the game."),
    "no_moves": gettext_lazy("%(name)s has no move left."),
    "captured_all": gettext_lazy("%(name)s has no piece left."),
}
_LOST: Mapping[str, Text] = {
    "decided": gettext_lazy("The game was decided."),
    "counted": gettext_lazy("You have fewer squares."),
    "counted_quiet": gettext_lazy("You have fewer squares."),
    "counted_long": gettext_lazy("You have fewer squares."),
    "resigned": gettext_lazy("You resigned."),
    "time": gettext_lazy("You ran out of time."),
    "abandoned": gettext_lazy("You left the game."),
    "no_moves": gettext_lazy("You have no move left."),
    "captured_all": gettext_lazy("You have no piece left."),
}
_DRAWN: Mapping[str, Text] = {
    "counted": gettext_lazy("You have equally many squares."),
    "counted_quiet": gettext_lazy("You have equally many squares."),
    "counted_long": gettext_lazy("You have equally many squares."),
    "agreed": gettext_lazy("You both agreed."),
    "both_flagged": gettext_lazy("You both ran out of time."),
    "no_arrows": gettext_lazy("50 moves without an arrow."),
    "too_long": gettext_lazy("400 moves played."),
    "abandoned": gettext_lazy("A player had left."),
}
_VOID: Mapping[str, Text] = {
    "no_show": gettext_lazy("A first move was not made in time."),
    "idle": gettext_lazy("Nobody moved for seven days."),
}
_REASONS = {"won": _WON, "lost": _LOST, "drawn": _DRAWN, "void": _VOID}


def _ended(data: Data, at: int) -> tuple[str, str]:
    result = str(data.get("result", "void"))
    reason = _REASONS[result].get(str(data.get("reason", "")))
    said = str(reason) % {"name": _opening_name(data, "opponent")} if reason else ""
    return " ".join(filter(None, (str(_RESULTS[result]), said))), _against(data)


def _offer(data: Data, at: int) -> tuple[str, str]:
    names = {"name": _opening_name(data, "opponent")}
    if data.get("what") == "draw":
        return _("%(name)s offers a draw") % names, _game(data)
    return _("%(name)s asks to take a move back") % names, _game(data)


def _challenge(data: Data, at: int) -> tuple[str, str]:
    title = _("%(name)s challenges you") % {"name": _opening_name(data, "host")}
    return title, _joined(_game(data), _clock(data))


def _clock(data: Data) -> str:
    """Return the label of the clock; empty for one that this version doesn't know."""
    try:
        clock = msgspec.convert(data.get("clock"), Clock)
    except msgspec.ValidationError:
        return ""
    key = str(data.get("rules", ""))
    return clock_label(key, clock) if key in RULES else ""


def _join(data: Data, at: int) -> tuple[str, str]:
    if data.get("end") == Lobby.Why.DECLINED:
        names = {"name": _opening_name(data, "name")}
        return _("%(name)s declined your challenge") % names, _game(data)
    if data.get("end") == Lobby.Why.AWAY:
        title = _("Your challenge to %(name)s has ended") % {"name": name_of_person(data, "name")}
        return title, _joined(_game(data), _("You were away for too long."))
    return _("%(name)s joined your game") % {"name": _opening_name(data, "name")}, _game(data)


def _plays(data: Data, at: int) -> tuple[str, str]:
    return _("%(name)s is playing now") % {"name": _opening_name(data, "name")}, _against(data)


_DECISIONS: Mapping[str, tuple[Text, Text]] = {
    "muted": (
        gettext_lazy("You’ve been muted"),
        gettext_lazy("A moderator has muted you in chat."),
    ),
    "unmuted": (
        gettext_lazy("You can write in chat again"),
        gettext_lazy("A moderator has unmuted you."),
    ),
    "suspended": (
        gettext_lazy("Your account is suspended"),
        gettext_lazy("A moderator has suspended it. You can’t sign in."),
    ),
    "restored": (
        gettext_lazy("Your account is restored"),
        gettext_lazy("You can sign in and play again."),
    ),
    "report_upheld": (
        gettext_lazy("Thanks for your report"),
        gettext_lazy("A moderator has acted on it."),
    ),
    "report_dismissed": (
        gettext_lazy("Thanks for your report"),
        gettext_lazy("A moderator found no violation of the rules."),
    ),
    "line_deleted": (
        gettext_lazy("Your message was deleted"),
        gettext_lazy("A moderator has deleted your message in chat."),
    ),
}


def _moderation(data: Data, at: int) -> tuple[str, str]:
    title, body = map(str, _DECISIONS[str(data["what"])])
    return title, " ".join(filter(None, (body, _until(data))))


def _holiday(data: Data, at: int) -> tuple[str, str]:
    if "opponent" not in data:  # it is the user's own
        clocks = _("Your clocks stand still in all your games with days.")
        return _("Your holiday began"), f"{clocks} {_until(data)}"
    names = {"name": _opening_name(data, "opponent")}
    return _("%(name)s went on holiday") % names, _joined(_game(data), _until(data))


def _until(data: Data) -> str:
    if (until := data.get("until")) is None:
        return ""
    when = date_format(datetime.fromtimestamp(int(until) / 1000, UTC), "j F Y, H:i")
    return _("Until %(when)s (UTC).") % {"when": when}


_WRITERS: Mapping[Kind, Callable[[Data, int], tuple[str, str]]] = {
    Kind.TURN: _turn,
    Kind.HALF: _half,
    Kind.LAST: _last,
    Kind.ENDED: _ended,
    Kind.OFFER: _offer,
    Kind.CHALLENGE: _challenge,
    Kind.JOINED: _join,
    Kind.PLAYS: _plays,
    Kind.HOLIDAY: _holiday,
    Kind.MODERATION: _moderation,
}
# Titles of warnings that have stopped to matter: the turn was made.
_CLOSED_TITLES: Mapping[Kind, Text] = {
    Kind.TURN: gettext_lazy("It was your turn"),
    Kind.HALF: gettext_lazy("Half your time was gone"),
    Kind.LAST: gettext_lazy("Your time was nearly up"),
}
_BUTTONS: Mapping[Kind, Text] = {
    Kind.TURN: gettext_lazy("Play"),
    Kind.HALF: gettext_lazy("Play"),
    Kind.LAST: gettext_lazy("Play"),
    Kind.ENDED: gettext_lazy("View the game"),
    Kind.OFFER: gettext_lazy("Answer"),
    Kind.CHALLENGE: gettext_lazy("Open"),
    Kind.JOINED: gettext_lazy("Open"),
    Kind.PLAYS: gettext_lazy("Watch"),
    Kind.HOLIDAY: gettext_lazy("View the game"),
    Kind.MODERATION: gettext_lazy("Read the rules"),
}
