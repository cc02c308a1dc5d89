"""The form of a search: games, paces and whether rated, with the cookie of the last choice."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from accounts.refusals import Refused
from lobby.forms import YES_NO
from lobby.lobby_refusals import LobbyReason
from lobby.pairing.pairing import Choice
from lobby.pairing.play_now import usual_options
from lobby.pairing.search_service import live_choices
from play.game_texts import figure_of, name_of
from play.time_controls import PRESETS

COOKIE = "quiver-search"
COOKIE_AGE_S = 365 * 24 * 3600
PACES: Mapping[int, str | Promise] = {  # the place of a clock among those of its game
    0: pgettext_lazy("how fast a game is", "Fast"),
    1: pgettext_lazy("how fast a game is", "Medium"),
    2: pgettext_lazy("how fast a game is", "Slow"),
}
USUAL_PACES = (0, 1)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Games and paces, in the order in which the page lists them, and whether rated."""

    games: tuple[str, ...]
    paces: tuple[int, ...]
    is_rated: bool = False

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Every game with every pace, the fastest first."""
        return live_choices(self.games, self.paces)


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game that can be searched for, as the page shows it."""

    key: str
    name: str
    figure: str
    clocks: tuple[tuple[int, str], ...]  # pace and label


def offers() -> list[GameOffer]:
    """Return the games on offer with their clocks."""
    return [
        GameOffer(key, name_of(key), figure_of(key, "white"), tuple(enumerate(usual_options(key))))
        for key in PRESETS
    ]


def parse_posted(posted: QueryDict) -> Chosen:
    """Parse the form. Raises Refused if a value is unknown, or no game or pace is chosen.

    A form without `rated` is casual.
    """
    return _parse(posted.getlist("game"), posted.getlist("pace"), posted.get("rated", "no"))


def _parse(games: list[str], paces: list[str], rated: str) -> Chosen:
    known = {str(pace): pace for pace in PACES}
    if rated not in YES_NO:
        raise Refused(LobbyReason.MALFORMED)
    if not games or not paces or not PRESETS.keys() >= set(games) or not known.keys() >= set(paces):
        raise Refused(LobbyReason.MALFORMED)
    return Chosen(
        tuple(key for key in PRESETS if key in games),
        tuple(pace for text, pace in known.items() if text in paces),
        YES_NO[rated],
    )


def remembered(request: HttpRequest) -> Chosen:
    """Return the choice of the cookie; without a valid one, all games at the usual paces.

    For a reader without an account it is casual.
    """
    query = parse_qs(request.COOKIES.get(COOKIE, "")[:500])
    try:
        rated = query.get("rated", ["no"])[-1]
        chosen = _parse(query.get("game", []), query.get("pace", []), rated)
    except Refused:
        return Chosen(tuple(PRESETS), USUAL_PACES)
    is_account = getattr(request.user, "is_account", False)
    return replace(chosen, is_rated=chosen.is_rated and is_account)


def remember(request: HttpRequest, response: HttpResponse, chosen: Chosen) -> None:
    """Set the cookie."""
    rated = "yes" if chosen.is_rated else "no"
    text = urlencode({"game": chosen.games, "pace": chosen.paces, "rated": rated}, doseq=True)
    is_secure = request.is_secure()
    response.set_cookie(COOKIE, text, COOKIE_AGE_S, secure=is_secure, httponly=True, samesite="Lax")
