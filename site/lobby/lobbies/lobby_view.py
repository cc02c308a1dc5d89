"""View of a lobby for one viewer, shared by its page and its socket.

Its sentences are in the language that is active while it is built.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.catalogue import RULES
from games.counting import may_be_counted
from lobby.computer_seats import level_field
from lobby.forms import COUNTING_TEXTS, RATED_TEXTS, Choice, choices_of
from lobby.lobbies import challenges
from lobby.lobbies.lobby_status import (
    Status,
    full_of,
    invitation_of,
    invitation_text,
    rated_text,
    status_of,
)
from lobby.lobbies.rematch import last_game_result, rematch_state
from lobby.models import Lobby, Place
from play.domain.clocks import now
from play.game_texts import RULES_TEXTS, figure_of, name_of
from play.time_controls import clock_label, clock_of, clock_value

Viewer = int | None  # a user's id; None for a stranger

FINDERS = {
    True: gettext_lazy("Everyone, on the home page"),
    False: gettext_lazy("Only people with the link"),
}
WATCHERS = {True: gettext_lazy("Allowed"), False: gettext_lazy("Not allowed")}


def lobby_frame(lobby: Lobby, viewer_id: Viewer) -> dict[str, Any]:
    """Returns the whole state of a lobby, with texts and buttons for one viewer."""
    mine = lobby.place_of(viewer_id)
    is_host = lobby.host.pk == viewer_id
    is_open = lobby.status == Lobby.Status.OPEN
    is_done = lobby.status == Lobby.Status.CLOSED
    status = status_of(lobby, viewer_id)
    more = rematch_state(lobby, viewer_id)
    return {
        "t": "lobby",
        "rev": lobby.rev,
        "code": lobby.code,
        "key": lobby.rules,
        "status": lobby.status,
        "heading": status.heading,
        "say": status.say
        if status.is_invited
        else challenges.sentence(lobby, viewer_id) or status.say,
        "waiting_time": status.waiting_time,
        "invitation": invitation_of(lobby, status),
        "full": full_of(lobby, status),
        "notice": _notice_of(lobby, mine, viewer_id),
        "options": _options(lobby, viewer_id),
        "has_counting": _has_counting(lobby),
        "seen": lobby.options.digest,
        "seats": [_seat(lobby, place, mine, viewer_id) for place in lobby.places],
        "start": _start(lobby, mine, bool(more and more["may"])) if is_open else None,
        "may": {
            "unready": bool(is_open and mine and mine.is_ready),
            "leave": bool(is_open and mine),
            "close": is_open and is_host,
            "decline": challenges.may_decline(lobby, viewer_id),
            "change": is_open and is_host,
        },
        "swap": _swap(lobby, mine, is_host) if is_open else None,
        "invite": challenges.invitation(lobby) or _invite(lobby),
        "invites": invitation_text(lobby) if status.is_waiting and lobby.invited is None else None,
        "people": _people(lobby),
        "game": _game_url(lobby, viewer_id, status),
        "last": last_game_result(lobby, viewer_id),
        "again": more,
        "shows_seats": not (is_done or status.is_invited or status.is_full),
        "shows_options": not (is_done or status.is_full),
        "shows_people": not (is_done or status.is_invited or status.is_full),
        "is_open": is_open,
        "is_done": is_done,
    }


def _game_url(lobby: Lobby, viewer_id: Viewer, status: Status) -> str | None:
    """Returns the address of the running game to which the page goes by itself, or None."""
    if lobby.game is None or status.is_full or not lobby.shows_game_to(viewer_id):
        return None
    return lobby.game.get_absolute_url()


def _invite(lobby: Lobby) -> str:
    """Returns a sentence about what the link to a lobby allows."""
    if lobby.watch:
        return _("Anyone with the link can join or watch.")
    return _("Anyone with the link can join.")


def _notice_of(lobby: Lobby, mine: Place | None, viewer_id: Viewer) -> dict[str, Any] | None:
    """Returns the notice for a viewer who lost a seat or whose options were changed, or None."""
    if lobby.status != Lobby.Status.OPEN:
        return None
    left = lobby.barred_until(viewer_id) - now()
    if left > 0 and mine is None:
        say = _("The host removed you from the game.")
        return {"title": say, "lines": [_("You can join again in a minute.")], "for": left}
    is_asked = mine and mine.user and mine.user.pk != lobby.host_id and not mine.is_ready
    if lobby.before and is_asked:
        return {
            "title": _("The host changed the game. Do you still want to play?"),
            "lines": _changes(lobby, viewer_id),
            "for": None,
        }
    return None


def _changes(lobby: Lobby, viewer_id: Viewer) -> list[str]:
    """Returns the options that changed since the other was last ready, one line each."""
    was, lines = lobby.before, []
    words, key, sides = (
        RULES_TEXTS[lobby.rules],
        was.get("game", lobby.rules),
        _first_move_choices(lobby, viewer_id),
    )
    labels = {
        "game": _("Game"),
        "clock": _("Clock"),
        "side": str(words.first),
        "visibility": _("Visibility"),
        "watch": _("Spectators"),
        "rated": _("Rating"),
        "counted": _("If nobody is shut in"),
    }
    old = {
        "game": lambda value: name_of(value),
        "clock": lambda value: clock_label(key, clock_of(value)),
        "side": lambda value: sides[value],
        "visibility": lambda value: str(FINDERS[value == "public"]),
        "watch": lambda value: str(WATCHERS[value == "yes"]),
        "rated": lambda value: str(RATED_TEXTS[value]),
        "counted": lambda value: str(COUNTING_TEXTS[value]),
    }
    for name, option in _options(lobby, viewer_id).items():
        if name == "counted" and not _has_counting(lobby):
            continue
        if was.get(name, option["value"]) != option["value"]:
            values = {"label": labels[name], "now": option["say"], "was": old[name](was[name])}
            lines.append(_("%(label)s: %(now)s (was: %(was)s).") % values)
    return lines


def _options(lobby: Lobby, viewer_id: Viewer) -> dict[str, Mapping[str, Any]]:
    """Returns every option with its form value, its text and the values on offer."""
    names, words = _first_move_choices(lobby, viewer_id), RULES_TEXTS[lobby.rules]
    visibility, watch = "public" if lobby.is_public else "link", "yes" if lobby.watch else "no"
    rated, counted = ("yes" if holds else "no" for holds in (lobby.is_rated, lobby.is_counted))
    offers = dict(choices_of(lobby.rules, lobby.clock, names))
    if not lobby.host.is_account:  # a guest has nothing to choose here
        offers["rated"] = tuple(each for each in offers["rated"] if each.value == "no")
    clock = _capital(clock_label(lobby.rules, lobby.clock))
    rows = {
        "game": (_("Game"), lobby.rules, name_of(lobby.rules)),
        "clock": (_("Clock"), clock_value(lobby.clock), clock),
        "side": (str(words.first), lobby.side, names[lobby.side]),
        "visibility": (
            _("Visibility"),
            visibility,
            challenges.joiners(lobby) or str(FINDERS[lobby.is_public]),
        ),
        "watch": (_("Spectators"), watch, str(WATCHERS[lobby.watch])),
        "rated": (_("Rating"), rated, _rated_text(lobby)),
        "counted": (_("If nobody is shut in"), counted, str(COUNTING_TEXTS[counted])),
    }
    return {
        name: {"label": label, "value": value, "say": say, "offers": _offers(offers[name])}
        for name, (label, value, say) in rows.items()
    }


def _rated_text(lobby: Lobby) -> str:
    if lobby.is_rated and not lobby.is_public:
        return rated_text(lobby)
    return str(RATED_TEXTS["yes" if lobby.is_rated else "no"])


def _has_counting(lobby: Lobby) -> bool:
    """Returns whether the chosen game may end by a count of own squares."""
    return may_be_counted(RULES[lobby.rules])


def _offers(choices: tuple[Choice, ...]) -> list[dict[str, str]]:
    return [{"value": choice.value, "say": choice.short or choice.say} for choice in choices]


def _first_move_choices(lobby: Lobby, viewer_id: Viewer) -> dict[str, str]:
    """Returns the name of who plays white for each choice of `side`."""
    is_taken = any(place.user for place in lobby.places)
    one, two = (_name_of_place(place, is_taken, viewer_id) for place in lobby.places)
    return {"white": one, "black": two, "lot": str(RULES_TEXTS[lobby.rules].choices["lot"])}


def _name_of_place(place: Place, is_taken: bool, viewer_id: Viewer) -> str:
    if place.user:
        return _("You") if place.user.pk == viewer_id else str(place.user.username)
    if is_taken:
        return _("The player who joins")
    return _("Seat %(number)s") % {"number": place.number}


def _seat(lobby: Lobby, place: Place, mine: Place | None, viewer_id: Viewer) -> dict[str, Any]:
    words = RULES_TEXTS[lobby.rules]
    seat = {
        "number": place.number,
        "figure": figure_of(lobby.rules, place.role),
        "line": str(words.sides[place.role]),
        "sit": None,
        "free": False,
        "computer": level_field(lobby, place, mine, viewer_id),
    }
    if place.user is None:
        empty = {
            "name": "",
            "rating": "",
            "shown": _("Free seat"),
            "ready": None,
            "is_ready": False,
        }
        return {**seat, **empty, "sit": _sit(lobby, place, mine, viewer_id)}
    name, is_own = place.user.username, place.user.pk == viewer_id
    is_host = lobby.status == Lobby.Status.OPEN and lobby.host.pk == viewer_id
    return {
        **seat,
        "name": name,
        "rating": lobby.ratings.short(place.user.pk, lobby.pool),
        "shown": _("You") if is_own else name,
        "line": str(words.own[place.role]) if is_own else seat["line"],
        "ready": _readiness(place),
        "is_ready": place.is_ready,
        "free": is_host and not is_own,
    }


def _readiness(place: Place) -> str:
    """Returns whether the user of a seat is ready; a computer player always is."""
    if place.user and place.user.is_bot:
        return _("computer, level %(level)s") % {"level": place.user.level}
    return _("ready") if place.is_ready else _("not ready")


def _sit(
    lobby: Lobby, place: Place, mine: Place | None, viewer_id: Viewer
) -> dict[str, str] | None:
    """Returns the button of an open seat for a viewer who may take it, or None."""
    if (
        lobby.status != Lobby.Status.OPEN
        or mine is not None
        or lobby.barred_until(viewer_id) > now()
        or lobby.is_reserved_from(viewer_id)
    ):
        return None
    is_first = lobby.free is not None and lobby.free.number == place.number
    if is_first:
        return {"label": _("Join"), "style": "primary"}
    return {"label": _("Join here"), "style": "plain"}


def _start(lobby: Lobby, mine: Place | None, is_again: bool) -> dict[str, Any]:
    """Returns the button that starts the game or a rematch, and why it is blocked if it is."""
    others = [place for place in lobby.places if place.user and place != mine]
    if mine is None:
        return {"style": "", "label": None, "say": _invitation(lobby)}
    begin, agree = _("Start the game"), _("I’m ready")
    if is_again:
        begin = agree = _("Rematch")
    if not others:
        label, style = (begin, "blocked") if mine.is_ready else (agree, "plain")
        return {"style": style, "label": label, "say": _("Waiting for an opponent.")}
    other = {"name": others[0].user.username}  # type: ignore[union-attr]
    if mine.is_ready:
        say = _("Waiting for %(name)s to be ready.") % other
        return {"style": "blocked", "label": begin, "say": say}
    if others[0].is_ready:
        return {"style": "primary", "label": begin, "say": _("%(name)s is ready.") % other}
    return {"style": "plain", "label": agree, "say": _("Neither of you is ready yet.")}


def _invitation(lobby: Lobby) -> str:
    """Returns the text for a viewer without a seat."""
    held = [place for place in lobby.places if place.user]
    if len(held) == 2:
        if lobby.watch:
            return _("This game is full. You can stay and watch.")
        return _("This game is full. Spectators aren’t allowed.")
    if held and held[0].is_ready:
        return _("The game starts when you join.")
    return _("Waiting for players.")


def _swap(lobby: Lobby, mine: Place | None, is_host: bool) -> dict[str, str] | None:
    """Returns the button that swaps the sides and who asks for it; None if not allowed."""
    held = [place for place in lobby.places if place.user]
    if lobby.side == "lot" or not (is_host or (mine and len(held) == 2)):
        return None
    asker = lobby.swap_by
    if asker is None:
        return {"label": _("Swap sides") if is_host else _("Ask to swap sides"), "say": ""}
    if mine and mine.user == asker:
        return {"label": _("Don’t swap sides"), "say": _("You asked to swap sides.")}
    say = _("%(name)s asks to swap sides.") % {"name": asker.username}
    return {"label": _("Swap sides"), "say": say}


def _people(lobby: Lobby) -> list[dict[str, str]]:
    """Returns host and seated people; the socket adds other people who are present."""
    held = [p.user.username for p in lobby.places if p.user and not p.user.is_bot]
    host = lobby.host.username
    lines = {host: _("host, player") if host in held else _("host")}
    lines |= {name: _("player") for name in held if name != host}
    return [{"name": name, "line": line} for name, line in lines.items()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
