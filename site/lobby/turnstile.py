"""How a lobby changes: every change is a transaction with a swap on `rev`.

A change is decided on the row as it was read; if somebody else was faster, the swap hits no row,
everything is rolled back, and it is decided anew on what stands now. So of two people who want
the last seat one gets it and the other a refusal, and a game starts exactly once.

A lobby whose game is over is open again: that is written when the game ends, and if the process
died just then, with the next reading or change of the lobby.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from games.catalogue import RULES
from lobby.models import OTHER, Lobby, Place
from lobby.options import RUNNING, Side
from lobby.refusals import Reason, Refused
from play.act import open_game
from play.again import again
from play.clocks import now
from play.outbox import publish

TRIES = 8  # how often a change is decided anew
COLUMNS = {1: "one", 2: "two"}
UNCOUNTED = ("aborted", "idle")  # endings of games that were never really played
Columns = Mapping[str, Any]
Decide = Callable[[Lobby], Columns]


class _Overtaken(Exception):
    """Somebody else has changed the lobby since it was read."""


def change(code: str, decide: Decide) -> Lobby:
    """Decides and swaps until the swap hits; an empty decision changes nothing.

    When both are ready then, their game starts. Raises what `decide` raises, Refused (busy, game
    withdrawn) and Lobby.DoesNotExist.
    """
    for _ in range(TRIES):
        try:
            return again(_changed, code, decide)
        except _Overtaken:
            continue
    raise Refused(Reason.BUSY)


def _changed(code: str, decide: Decide) -> Lobby:
    with transaction.atomic():
        lobby, mended = _settled(Lobby.objects.with_people().get(code=code))
        if lobby.rules not in RULES:
            raise Refused(Reason.WITHDRAWN)
        columns = {**mended, **decide(lobby)}
        return _swapped(lobby, columns) if columns else lobby


def settle(lobby: Lobby) -> Lobby:
    """A lobby as it was read; opened again if its game is over, and that is then written."""
    if not lobby.is_over:
        return lobby
    return change(lobby.code, lambda here: {})


def close(lobby: Lobby, why: Lobby.Why) -> bool:
    """Closes an open lobby if it still stands as it was read; tells whether it did."""
    row = Lobby.objects.open().filter(pk=lobby.pk, rev=lobby.rev, host_seen=lobby.host_seen)
    with transaction.atomic():
        closed = row.update(rev=F("rev") + 1, status=Lobby.Status.CLOSED, why=why)
        if closed:
            announce(lobby.code, lobby.rev + 1, people_of(lobby))
    return bool(closed)


def announce(code: str, rev: int, users: Iterable[int]) -> None:
    """After the commit, tells all pages that a lobby has changed: its own, and its people's."""

    def hints() -> None:
        publish(("lobby", code), rev)
        publish(("lists", ""))
        for user in users:
            publish(("mine", str(user)))

    transaction.on_commit(hints)


def people_of(lobby: Lobby) -> set[int]:
    """The ids of host and seated."""
    ids = {lobby.host_id, lobby.one_id, lobby.two_id}
    return {user for user in ids if user is not None}


def seated(place: Place, user: Any, is_ready: bool) -> Columns:
    """The columns that put a user (None: nobody) into a place."""
    column = COLUMNS[place.number]
    return {column: user, f"{column}_ready": is_ready}


def _settled(lobby: Lobby) -> tuple[Lobby, Columns]:
    """The lobby as it is to be seen, and the columns that have yet to be written for that."""
    if not lobby.is_over:
        return lobby, {}
    columns = _reopened(lobby)
    return _with(lobby, columns), columns


def _reopened(lobby: Lobby) -> Columns:
    """Open again: the sides swapped, also those that were drawn, or as they were chosen if the
    game counted for nothing; nobody ready; the host not yet away."""
    is_played = lobby.game is not None and lobby.game.reason not in UNCOUNTED
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


def _with(lobby: Lobby, columns: Columns) -> Lobby:
    after = copy(lobby)
    for name, value in columns.items():
        setattr(after, name, value)
    return after


def _swapped(lobby: Lobby, columns: Columns) -> Lobby:
    """The lobby with new columns, and with its game if both are ready now."""
    after = _with(lobby, columns)
    if after.before and not _are_asked(after):
        columns = {**columns, "before": {}}
    if after.status == Lobby.Status.OPEN and all(place.is_ready for place in after.places):
        columns = {**columns, **_started(after)}
    after = _with(after, columns)
    row = Lobby.objects.filter(pk=lobby.pk, rev=lobby.rev)
    if not row.update(rev=F("rev") + 1, **columns):
        raise _Overtaken
    after.rev = lobby.rev + 1
    announce(after.code, after.rev, people_of(lobby) | people_of(after))
    return after


def _are_asked(lobby: Lobby) -> bool:
    """Whether somebody besides the host still has to say yes to changed options."""
    return any(p.user and p.user.pk != lobby.host_id and not p.is_ready for p in lobby.places)


def _started(lobby: Lobby) -> Columns:
    """Draws the lot if there is one, and opens the game."""
    is_lot = lobby.side == "lot"
    side: Side = secrets.choice(["white", "black"]) if is_lot else lobby.side  # type: ignore[assignment]
    seats = {side: lobby.one, OTHER[side]: lobby.two}
    game = open_game(
        lobby.rules,
        lobby.clock,
        seats,
        public=lobby.is_public,
        lobby=lobby.code,
        watch=lobby.watch,
    )
    if lobby.is_live:
        users = [user.pk for user in seats.values() if not user.is_bot]  # they play many at once
        transaction.on_commit(partial(stand_down, users, lobby.code), robust=True)
    return {
        "status": Lobby.Status.PLAYING,
        "side": side,
        "is_lot": is_lot,
        "game": game,
        "previous": lobby.game,
        "swap_by": None,
        "before": {},
    }


def stand_down(users: list[int], but: str) -> None:
    """Makes users not ready in every other lobby with a running clock, because they play now:
    nobody is to lose a second game that starts behind their back."""
    ready = Q(one__in=users, one_ready=True) | Q(two__in=users, two_ready=True)
    others = Lobby.objects.open().filter(ready, clock_kind__in=RUNNING).exclude(code=but)
    for code in list(others.values_list("code", flat=True)):
        with suppress(Refused):
            change(code, partial(_not_ready, users))


def _not_ready(users: list[int], lobby: Lobby) -> Columns:
    if lobby.status != Lobby.Status.OPEN:
        return {}
    return {
        f"{COLUMNS[place.number]}_ready": False
        for place in lobby.places
        if place.is_ready and place.user and place.user.pk in users
    }
