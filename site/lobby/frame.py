"""What a lobby looks like to one pair of eyes; one dict draws the page and feeds its socket."""

from collections.abc import Mapping
from typing import Any

from lobby.models import Lobby, Place
from lobby.options import clock_label, spelled
from lobby.words import WORDS, figure_of, name_of

Eyes = str  # the name of who looks; "" for a stranger

STATUS = {
    Lobby.Status.OPEN: "It starts when both seats are taken and both are ready.",
    Lobby.Status.PLAYING: "The game has started.",
    Lobby.Status.CLOSED: "The host has closed this lobby.",
}
FINDERS = {True: "Everybody, on the front page", False: "Those who have the link"}


def frame(lobby: Lobby, eyes: Eyes) -> dict[str, Any]:
    """The whole state of a lobby, in the words and with the buttons of whoever looks."""
    mine = next((p for p in lobby.places if p.user and p.user.username == eyes), None)
    is_host = lobby.host.username == eyes
    is_open = lobby.status == Lobby.Status.OPEN
    is_over = lobby.game is not None and lobby.game.ended is not None
    return {
        "t": "lobby",
        "rev": lobby.rev,
        "code": lobby.code,
        "key": lobby.rules,
        "status": lobby.status,
        "say": "Its game is over." if is_over else STATUS[lobby.status],
        "options": _options(lobby),
        "seen": lobby.options.digest,
        "seats": [_seat(lobby, place, mine, eyes) for place in lobby.places],
        "start": _start(lobby, mine) if is_open else None,
        "may": {
            "unready": bool(is_open and mine and mine.is_ready),
            "leave": bool(is_open and mine),
            "close": is_open and is_host,
            "change": is_open and is_host,
        },
        "invites": bool(is_open and lobby.free and mine),
        "people": _people(lobby),
        "game": lobby.game.get_absolute_url() if lobby.game else None,
        "is_open": is_open,
        "is_done": is_over or lobby.status == Lobby.Status.CLOSED,
    }


def _options(lobby: Lobby) -> dict[str, Mapping[str, Any]]:
    """Every option with its form value and its words."""
    names = firsts(lobby)
    visibility = "public" if lobby.is_public else "link"
    return {
        "game": {"value": lobby.rules, "say": name_of(lobby.rules)},
        "clock": {
            "value": spelled(lobby.clock),
            "say": _capital(clock_label(lobby.rules, lobby.clock)),
        },
        "side": {"value": lobby.side, "say": names[lobby.side], "names": names},
        "visibility": {"value": visibility, "say": FINDERS[lobby.is_public]},
    }


def firsts(lobby: Lobby) -> dict[str, str]:
    """Who plays white for each choice of `side`: by name, where somebody sits."""
    empty = "Whoever joins" if any(place.user for place in lobby.places) else "Seat {}"
    one, two = (p.user.username if p.user else empty.format(p.number) for p in lobby.places)
    return {"white": one, "black": two, "lot": "By lot"}


def _seat(lobby: Lobby, place: Place, mine: Place | None, eyes: Eyes) -> dict[str, Any]:
    side = WORDS[lobby.rules].sides[place.role]
    seat = {"number": place.number, "figure": figure_of(lobby.rules, place.role), "sit": None}
    if place.user is None:
        sit = None
        if lobby.status == Lobby.Status.OPEN and mine is None:
            is_first = lobby.free is not None and lobby.free.number == place.number
            sit = {
                "label": "Sit down and play" if is_first else "Sit here",
                "style": "primary" if is_first else "plain",
            }
        return {
            **seat,
            "name": "",
            "shown": "Open seat",
            "line": side,
            "ready": None,
            "is_ready": False,
            "sit": sit,
        }
    name = place.user.username
    return {
        **seat,
        "name": name,
        "shown": name,
        "line": f"you · {side}" if name == eyes else side,
        "ready": "ready" if place.is_ready else "not ready",
        "is_ready": place.is_ready,
    }


def _start(lobby: Lobby, mine: Place | None) -> dict[str, Any]:
    """The button that starts the game, and why it does not if it does not."""
    others = [place for place in lobby.places if place.user and place != mine]
    if mine is None:
        return {"style": "", "label": None, "say": _invitation(lobby)}
    if not others:
        label = "Start the game" if mine.is_ready else "I am ready"
        style = "blocked" if mine.is_ready else "plain"
        return {"style": style, "label": label, "say": "Needs a second seat taken."}
    other = others[0]
    if mine.is_ready:
        say = f"Waits for {other.user.username} to be ready."
        return {"style": "blocked", "label": "Start the game", "say": say}
    if other.is_ready:
        say = f"{other.user.username} is ready."
        return {"style": "primary", "label": "Start the game", "say": say}
    return {"style": "plain", "label": "I am ready", "say": "Nobody is ready yet."}


def _invitation(lobby: Lobby) -> str:
    """What a person without a seat may expect."""
    seated = [place for place in lobby.places if place.user]
    if len(seated) == 2:
        return "Both seats are taken. You can stay and watch."
    if seated and seated[0].is_ready:
        return "It starts as soon as you sit down."
    return "Needs both seats taken."


def _people(lobby: Lobby) -> list[dict[str, str]]:
    """Host and seated; who else is here the socket tells."""
    seated = [place.user.username for place in lobby.places if place.user]
    host = lobby.host.username
    lines = {name: "host, seated" if name == host else "seated" for name in seated}
    return [{"name": n, "line": line} for n, line in ({host: "host"} | lines).items()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
