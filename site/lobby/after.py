"""What a lobby shows of the game that ended there: its result, and the way to a rematch."""

from typing import Any

from django.utils.translation import gettext as _

from lobby.again import is_same
from lobby.endings import result_of
from lobby.models import Lobby
from lobby.presence import pages
from play.models import Game


def again(lobby: Lobby, eyes: int | None) -> dict[str, Any] | None:
    """The rematch of the newest game that ended here, for a user; None while there is none.

    `game` is that game's address. `mine`, `theirs`: you, the other, have asked for it (a computer
    player never asks: it is always ready); `next` is the address of the game when it has started.
    `changed`: the lobby offers another game by now. `sit`: you played, and have stood up since.
    """
    is_open = lobby.status == Lobby.Status.OPEN
    over = lobby.game if is_open else lobby.previous
    if over is None or lobby.status == Lobby.Status.CLOSED:
        return None
    played = {seat.user_id: seat.user.username for seat in over.seats.all()}
    if len(played) != 2 or not _may_know(lobby, over, eyes):
        return None
    other = next(user for user in played if user != eyes)
    people = [p for p in lobby.places if p.user and not p.user.is_bot]
    ready = {p.user.pk for p in people if p.is_ready or not is_open}  # type: ignore[union-attr]
    is_changed = not is_same(lobby, over)
    is_shown = not is_open and lobby.game and (lobby.watch or lobby.place_of(eyes))
    return {
        "game": over.get_absolute_url(),
        "may": eyes in played and not is_changed,
        "changed": is_changed,
        "mine": eyes in played and eyes in ready,
        "theirs": eyes in played and other in ready,
        "sit": is_open and eyes in played and not is_changed and lobby.place_of(eyes) is None,
        "other": played[other],
        "other_here": pages[lobby.code, other] > 0,
        "next": lobby.game.get_absolute_url() if is_shown else None,  # type: ignore[union-attr]
        "say": _asking(played[other], eyes in ready, other in ready) if eyes in played else "",
    }


def _asking(other: str, mine: bool, theirs: bool) -> str:
    """Who has asked for a rematch, as a sentence."""
    if theirs:
        return _("%(name)s asks for a rematch.") % {"name": other}
    return _("You have asked %(name)s for a rematch.") % {"name": other} if mine else ""


def last_result(lobby: Lobby, eyes: int | None) -> dict[str, str] | None:
    """The game that ended last, and how, while the lobby waits for the next one; for a user."""
    game: Game | None = lobby.game
    if lobby.status == Lobby.Status.PLAYING or game is None or game.ended is None:
        return None
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    if len(names) != 2 or not _may_know(lobby, game, eyes):
        return None
    return {"url": game.get_absolute_url(), "say": result_of(game, names)}


def _may_know(lobby: Lobby, game: Game, eyes: int | None) -> bool:
    """Whether a user may be told of a game that was played here.

    A game by link is no news for those who find the lobby in the list, should its host have made
    it public since.
    """
    if game.is_public or not lobby.is_public or eyes == lobby.host_id:
        return True
    return any(seat.user_id == eyes for seat in game.seats.all())
