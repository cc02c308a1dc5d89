"""What a user has under way: running games, those that wait for him first, and open lobbies."""

import logging
from dataclasses import dataclass

from accounts.models import User
from games.catalogue import rules_of
from lobby.models import Lobby
from lobby.options import clock_label
from lobby.rows import readable
from lobby.words import figure_of, name_of
from play.models import Game

MOST = 20
log = logging.getLogger("quiver.pages")


@dataclass(frozen=True, slots=True)
class Row:
    """One thing under way, as the front page lists it."""

    url: str
    title: str
    line: str
    figure: str
    button: str
    waits: bool  # for this user


def under_way(user: User) -> list[Row]:
    """The rows of a user: his goes first, newest first among equals. A fixed number of queries."""
    if not user.is_authenticated:
        return []
    games = Game.objects.live().of(user).order_by("-changed")
    games = games.prefetch_related("seats__user", "sealed")[:MOST]
    rows = readable(games, lambda game: _game(game, user), log)
    rows.sort(key=lambda row: not row.waits)
    lobbies = Lobby.objects.open().hosted_by(user).order_by("-created")
    return rows + readable(lobbies.with_people()[:MOST], _lobby, log)


def _game(game: Game, user: User) -> Row:
    rules = rules_of(game.rules)
    seats = {seat.role: seat.user for seat in game.seats.all()}
    mine = next(role for role, holder in seats.items() if holder.pk == user.pk)
    other = next(holder.username for role, holder in seats.items() if role != mine)
    sealed = {seal.role for seal in game.sealed.all() if seal.number == game.turn}
    waits = mine in rules.control(rules.read(game.position)) - sealed
    clock = clock_label(game.rules, game.clock)
    return Row(
        url=game.get_absolute_url(),
        title=f"Against {other}",
        line=f"{rules.name} · {clock} · {'your go' if waits else f'waits for {other}'}",
        figure=figure_of(game.rules, mine),
        button="Play" if waits else "Look",
        waits=waits,
    )


def _lobby(lobby: Lobby) -> Row:
    place = lobby.place_of(lobby.host_id) or lobby.places[0]
    clock = clock_label(lobby.rules, lobby.clock)
    return Row(
        url=lobby.get_absolute_url(),
        title="Your lobby",
        line=f"{name_of(lobby.rules)} · {clock} · open",
        figure=figure_of(lobby.rules, place.role),
        button="Open",
        waits=False,
    )
