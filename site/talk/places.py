"""Where people talk: the games and lobbies themselves, as far as talk depends on them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from lobby.models import Lobby
from play.models import Game, Seat
from talk.models import Circle, Kind

# A lobby is open until its game starts (live) and after it, until it is closed; a game is live
# until it is over.
Stage = Literal["open", "live", "over", "closed"]


@dataclass(frozen=True, slots=True)
class Place:
    """A game or lobby as it stands."""

    kind: Kind
    ident: str
    stage: Stage
    is_watched: bool  # whether there may be spectators
    roles: Mapping[int, str]  # user to what they are here; everybody else watches

    def role_of(self, user: int | None) -> str:
        """What a user is here."""
        return self.roles.get(user, "watcher") if user is not None else "watcher"

    def circle_of(self, user: int | None) -> Circle | None:
        """Whom a user talks with; None if there is nobody here for them to talk with."""
        if self.kind == "lobby":
            return "lobby"
        if user in self.roles:
            return "players"
        return "watchers" if self.is_watched else None

    def circles_for(self, circle: Circle) -> tuple[Circle, ...]:
        """The circles whose lines somebody of `circle` may read now.

        While a game runs, that is their own alone; when it is over, all do not exclude anybody.
        """
        if self.stage == "over" and self.is_watched:
            return ("players", "watchers")
        return (circle,)


def find(kind: str, ident: str) -> Place | None:
    """The place as the database has it now; None if there is none."""
    if kind == "game":
        return _game(ident)
    return _lobby(ident) if kind == "lobby" else None


def glimpses(kind: Kind, idents: Iterable[str]) -> dict[str, Place]:
    """Many places at once, without the people in them."""
    if kind == "game":
        games = Game.objects.filter(slug__in=idents).only("slug", "ended", "watch")
        return {game.slug: _game_as(game, {}) for game in games}
    lobbies = Lobby.objects.select_related("game").filter(code__in=idents)
    lobbies = lobbies.only("code", "status", "game__ended")
    return {lobby.code: _lobby_as(lobby, {}) for lobby in lobbies}


def _game(slug: str) -> Place | None:
    game = Game.objects.filter(slug=slug).first()
    if game is None:
        return None
    return _game_as(game, dict(Seat.objects.filter(game=game).values_list("user", "role")))


def _game_as(game: Game, roles: Mapping[int, str]) -> Place:
    stage: Stage = "live" if game.ended is None else "over"
    return Place("game", game.slug, stage, game.watch, roles)


def _lobby(code: str) -> Place | None:
    lobby = Lobby.objects.select_related("game").filter(code=code).first()
    if lobby is None:
        return None
    roles = dict.fromkeys(filter(None, (lobby.one_id, lobby.two_id)), "seated")
    return _lobby_as(lobby, {**roles, lobby.host_id: "host"})


def _lobby_as(lobby: Lobby, roles: Mapping[int, str]) -> Place:
    is_played = lobby.game is not None and lobby.game.ended is None
    stage: Stage = "live" if is_played else "open"
    if lobby.status == Lobby.Status.CLOSED:
        stage = "closed"
    return Place("lobby", lobby.code, stage, True, roles)
