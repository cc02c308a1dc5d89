"""Optimistic locking for lobbies: every change is a compare-and-swap on `rev`.

A change is decided on the row as it was read. If another change was committed first, the swap
updates no row, the transaction is rolled back, and the change is decided again on the current row.
So of two people who want the last seat one gets it and the other a refusal, and a game starts
exactly once.

A lobby whose game is over is reopened when the game ends or, if the process died then, with the
next read or change of the lobby.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from accounts.refusals import Refused
from games.catalogue import RULES
from games.core import OTHER as OTHER_ROLE
from games.core import ROLES, Role
from lobby.lobby_refusals import LobbyReason
from lobby.models import OTHER, Lobby, Place
from play.domain.clocks import now
from play.models import VOID
from play.runtime.game_commands import open_game
from play.runtime.notify import publish
from play.storage.retry import retry
from play.time_controls import RUNNING
from ratings.fair_play.rated_pairs import Obstacle, why_casual

MAX_ATTEMPTS = 8  # decisions of one change, each on a fresh row
COLUMNS = {1: "one", 2: "two"}
Columns = Mapping[str, Any]
Decide = Callable[[Lobby], Columns]


class _SwapLost(Exception):
    """Another change was committed since the lobby was read."""


def change(code: str, decide: Decide) -> Lobby:
    """Decides and swaps until the swap succeeds; an empty decision changes nothing.

    If both are ready then, their game starts. Raises what `decide` raises, Refused (busy, game
    withdrawn) and Lobby.DoesNotExist.
    """
    for _ in range(MAX_ATTEMPTS):
        try:
            return retry(_change_once, code, decide)
        except _SwapLost:
            continue
    raise Refused(LobbyReason.BUSY)


def _change_once(code: str, decide: Decide) -> Lobby:
    with transaction.atomic():
        lobby, mended = _settle_columns(Lobby.objects.with_people().get(code=code))
        if lobby.rules not in RULES:
            raise Refused(LobbyReason.WITHDRAWN)
        columns = {**mended, **decide(lobby)}
        return _swap(lobby, columns) if columns else lobby


def settle(lobby: Lobby) -> Lobby:
    """Returns the lobby; reopens it in the database first if its game is over."""
    if not lobby.is_over:
        return lobby
    return change(lobby.code, lambda here: {})


def close(lobby: Lobby, why: Lobby.Why) -> bool:
    """Closes an open lobby if it is unchanged since it was read; returns whether it did."""
    row = Lobby.objects.open().filter(pk=lobby.pk, rev=lobby.rev, host_seen=lobby.host_seen)
    with transaction.atomic():
        closed = row.update(rev=F("rev") + 1, status=Lobby.Status.CLOSED, why=why)
        if closed:
            announce(lobby.code, lobby.rev + 1, people_of(lobby))
    return bool(closed)


def announce(code: str, rev: int, users: Iterable[int]) -> None:
    """Publishes a lobby's change after the commit: to its page, the lists and its people."""

    def hints() -> None:
        publish(("lobby", code), rev)
        publish(("chat", f"lobby/{code}/lobby"))  # seats decide who may write in the chat
        publish(("lists", ""))
        for user in users:
            publish(("mine", str(user)))

    transaction.on_commit(hints)


def people_of(lobby: Lobby) -> set[int]:
    """Returns the ids of the host, the seated users and the challenged user."""
    ids = {lobby.host_id, lobby.one_id, lobby.two_id, lobby.invited_id}
    return {user for user in ids if user is not None}


def seat_columns(place: Place, user: Any, is_ready: bool) -> Columns:
    """Returns the columns that put a user (None: nobody) on a seat."""
    column = COLUMNS[place.number]
    return {column: user, f"{column}_ready": is_ready}


def _settle_columns(lobby: Lobby) -> tuple[Lobby, Columns]:
    """Returns the lobby, reopened if its game is over, and the columns yet to be written."""
    if not lobby.is_over:
        return lobby, {}
    columns = _reopen_columns(lobby)
    return _with_columns(lobby, columns), columns


def _reopen_columns(lobby: Lobby) -> Columns:
    """Returns the columns that reopen a lobby.

    The sides are swapped, also those drawn at random; after a game that does not count they are as
    chosen. Nobody is ready, and the host counts as present.
    """
    is_played = lobby.game is not None and lobby.game.reason not in VOID
    chosen = "lot" if lobby.is_lot else lobby.side
    return {
        "status": Lobby.Status.OPEN,
        "side": OTHER[lobby.side] if is_played else chosen,
        "is_lot": False,
        "one_ready": False,
        "two_ready": False,
        "swap_by": None,
        "before": {},
        "host_seen": now(),
    }


def _with_columns(lobby: Lobby, columns: Columns) -> Lobby:
    after = copy(lobby)
    for name, value in columns.items():
        setattr(after, name, value)
    return after


def _swap(lobby: Lobby, columns: Columns) -> Lobby:
    """Writes new columns with a swap on `rev`; starts the game if both are ready."""
    after = _with_columns(lobby, columns)
    if after.before and not _are_asked(after):
        columns = {**columns, "before": {}}
    if after.status == Lobby.Status.OPEN and all(place.is_ready for place in after.places):
        columns = {**columns, **_start_game(after)}
    after = _with_columns(after, columns)
    row = Lobby.objects.filter(pk=lobby.pk, rev=lobby.rev)
    if not row.update(rev=F("rev") + 1, **columns):
        raise _SwapLost
    after.rev = lobby.rev + 1
    announce(after.code, after.rev, people_of(lobby) | people_of(after))
    return after


def _are_asked(lobby: Lobby) -> bool:
    """Returns whether somebody besides the host has yet to accept changed options."""
    return any(p.user and p.user.pk != lobby.host_id and not p.is_ready for p in lobby.places)


def _check_may_be_rated(lobby: Lobby) -> None:
    """Raises Refused if the two of a rated lobby may not play a rated game now.

    The refusal does not reveal another user's pause.
    """
    obstacle = why_casual(lobby.one_id, lobby.two_id, now()) if lobby.is_rated else None
    if obstacle is Obstacle.RELATED:
        raise Refused(LobbyReason.CASUAL_PAIR)
    if obstacle is Obstacle.PAIR_LIMIT:
        raise Refused(LobbyReason.PAIR_LIMIT)
    if obstacle is Obstacle.PAUSED:
        raise Refused(LobbyReason.CLOSED)


def _start_game(lobby: Lobby) -> Columns:
    """Draws the sides if they are random, and creates the game; returns the lobby's columns.

    Raises Refused.
    """
    _check_may_be_rated(lobby)
    is_lot = lobby.side == "lot"
    side: Role = secrets.choice(ROLES) if is_lot else lobby.side  # type: ignore[assignment]
    seats = {side: lobby.one, OTHER_ROLE[side]: lobby.two}
    game = open_game(
        lobby.rules,
        lobby.clock,
        seats,
        public=lobby.is_public,
        lobby=lobby.code,
        watch=lobby.watch,
        rated=lobby.is_rated,
        counted=lobby.is_counted,
    )
    if lobby.is_live:
        users = [user.pk for user in seats.values() if user and not user.is_bot]
        transaction.on_commit(partial(clear_ready, users, lobby.code), robust=True)
    return {
        "status": Lobby.Status.PLAYING,
        "side": side,
        "is_lot": is_lot,
        "game": game,
        "previous": lobby.game,
        "swap_by": None,
        "before": {},
    }


def clear_ready(users: list[int], but: str) -> None:
    """Makes users not ready in all other lobbies with a running clock.

    They play now, and a second game must not start unnoticed.
    """
    ready = Q(one__in=users, one_ready=True) | Q(two__in=users, two_ready=True)
    others = Lobby.objects.open().filter(ready, clock_kind__in=RUNNING).exclude(code=but)
    for code in list(others.values_list("code", flat=True)):
        with suppress(Refused):
            change(code, partial(_unready_columns, users))


def _unready_columns(users: list[int], lobby: Lobby) -> Columns:
    if lobby.status != Lobby.Status.OPEN:
        return {}
    return {
        f"{COLUMNS[place.number]}_ready": False
        for place in lobby.places
        if place.is_ready and place.user and place.user.pk in users
    }
