"""THE ONLY WRITER of lobbies. Every change is a transaction with a swap on `rev`.

A change is decided on the row as it was read; if somebody else was faster, the swap hits no row,
everything is rolled back, and it is decided anew on what stands now. So of two people who want
the last seat one gets it and the other a refusal, and a game starts exactly once.
"""

import secrets
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.models import User
from lobby.models import OTHER, Lobby, Place
from lobby.options import Options, Side, clock_label
from lobby.refusals import Reason, Refused
from lobby.words import name_of
from play.act import open_game
from play.clocks import now
from play.models import Game
from play.outbox import publish

TRIES = 8  # how often a change is decided anew
SAME_CLICK = 10_000  # ms in which the same lobby made again is the same click, sent again
MOST_OPEN = 5  # lobbies that one host may have open at once
COLUMNS = {1: "one", 2: "two"}
Columns = Mapping[str, Any]


class _Overtaken(Exception):
    """Somebody else has changed the lobby since it was read."""


def create(host: User, options: Options) -> Lobby:
    """Makes a lobby with its host seated and ready. Raises Refused: too many.

    Who does so twice within ten seconds gets the first one, or finds its game running.
    """
    with transaction.atomic():
        made = Lobby.objects.hosted_by(host).filter(created__gt=now() - SAME_CLICK)
        if first := made.alive().chosen(options).with_people().first():
            return first
        if Lobby.objects.open().hosted_by(host).count() >= MOST_OPEN:
            raise Refused(Reason.TOO_MANY)
        lobby = Lobby.objects.create(host=host, one=host, one_ready=True, **_columns(options))
        _announce(lobby)
    return lobby


def sit(code: str, user: User, number: int | None = None, seen: str = "") -> Lobby:
    """Seats a user and makes him ready, on seat `number` or on the free one.

    `seen` is the digest of the options that he was shown; empty if that is not known. If everybody
    is ready then, the game starts. Who is seated already stays where he is.
    Raises Refused and Lobby.DoesNotExist.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.place_of(user.pk):
            return {}
        check_room(lobby, number, seen)
        place = lobby.free if number is None else _numbered(lobby, number)
        return _seated(place, user, True)

    return _change(code, decide)


def leave(code: str, user: User) -> Lobby:
    """Frees the seat of a user. The host stays host, and may sit down again."""

    def decide(lobby: Lobby) -> Columns:
        _need_open(lobby)
        return _seated(_held(lobby, user), None, False)

    return _change(code, decide)


def ready(code: str, user: User, seen: str = "") -> Lobby:
    """Makes a seated user ready for what he was shown; the game starts if the other is ready too.

    Once it has started, this changes nothing.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.status == Lobby.Status.PLAYING and lobby.place_of(user.pk):
            return {}
        _need_open(lobby)
        place = _held(lobby, user)
        if place.is_ready:
            return {}
        _need_seen(lobby, seen)
        return _seated(place, user, True)

    return _change(code, decide)


def unready(code: str, user: User) -> Lobby:
    """Makes a seated user not ready."""

    def decide(lobby: Lobby) -> Columns:
        _need_open(lobby)
        place = _held(lobby, user)
        return _seated(place, user, False) if place.is_ready else {}

    return _change(code, decide)


def change(code: str, user: User, options: Options) -> Lobby:
    """The host chooses other options; whoever else is seated has to be ready for them anew."""

    def decide(lobby: Lobby) -> Columns:
        _need_open(lobby)
        _need_host(lobby, user)
        if options == lobby.options:
            return {}
        stays = {f"{COLUMNS[p.number]}_ready": p.is_ready and p.user == user for p in lobby.places}
        return {**_columns(options), **stays}

    return _change(code, decide)


def close(code: str, user: User) -> Lobby:
    """The host gives the lobby up."""

    def decide(lobby: Lobby) -> Columns:
        _need_open(lobby)
        _need_host(lobby, user)
        return {"status": Lobby.Status.CLOSED}

    return _change(code, decide)


def check_room(lobby: Lobby, number: int | None = None, seen: str = "") -> None:
    """Raises Refused if nobody could sit down in a lobby as it was read."""
    _need_open(lobby)
    if lobby.free is None:
        raise Refused(Reason.FULL)
    if number is not None and _numbered(lobby, number).user:
        raise Refused(Reason.TAKEN)
    _need_seen(lobby, seen)


def _change(code: str, decide: Callable[[Lobby], Columns]) -> Lobby:
    """Decides and swaps until the swap hits; an empty decision changes nothing."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                lobby = Lobby.objects.with_people().get(code=code)
                columns = decide(lobby)
                return _swapped(lobby, columns) if columns else lobby
        except _Overtaken:
            continue
    raise Refused(Reason.BUSY)


def _swapped(lobby: Lobby, columns: Columns) -> Lobby:
    """The lobby with new columns, and with its game if both are ready now."""
    after = copy(lobby)
    for name, value in columns.items():
        setattr(after, name, value)
    if after.status == Lobby.Status.OPEN and all(place.is_ready for place in after.places):
        after.side, after.game = _start(after)
        after.status = Lobby.Status.PLAYING
        columns = {**columns, "side": after.side, "game": after.game, "status": after.status}
    row = Lobby.objects.filter(pk=lobby.pk, rev=lobby.rev)
    if not row.update(rev=F("rev") + 1, **columns):
        raise _Overtaken
    after.rev = lobby.rev + 1
    _announce(after)
    return after


def _start(lobby: Lobby) -> tuple[Side, Game]:
    """Draws the lot if there is one, and opens the game: the role of seat one, and the game."""
    side = secrets.choice(["white", "black"]) if lobby.side == "lot" else lobby.side
    seats = {side: lobby.one, OTHER[side]: lobby.two}
    game = open_game(lobby.rules, lobby.clock, seats, public=lobby.is_public, lobby=lobby.code)
    return side, game


def _announce(lobby: Lobby) -> None:
    def hints() -> None:
        publish(("lobby", lobby.code), lobby.rev)
        publish(("lists", ""))

    transaction.on_commit(hints)


def _need_open(lobby: Lobby) -> None:
    if lobby.status == Lobby.Status.PLAYING:
        raise Refused(Reason.STARTED)
    if lobby.status == Lobby.Status.CLOSED:
        raise Refused(Reason.CLOSED)


def _need_host(lobby: Lobby, user: User) -> None:
    if lobby.host_id != user.pk:
        raise Refused(Reason.NOT_HOST)


def _need_seen(lobby: Lobby, seen: str) -> None:
    if seen and seen != lobby.options.digest:
        game = f"{name_of(lobby.rules)}, {clock_label(lobby.rules, lobby.clock)}"
        raise Refused(Reason.CHANGED, f"The host has changed this lobby: it is now {game}.")


def _held(lobby: Lobby, user: User) -> Place:
    place = lobby.place_of(user.pk)
    if place is None:
        raise Refused(Reason.NOT_SEATED)
    return place


def _numbered(lobby: Lobby, number: int) -> Place:
    if number not in COLUMNS:
        raise Refused(Reason.MALFORMED)
    return lobby.places[number - 1]


def _seated(place: Place, user: User | None, is_ready: bool) -> Columns:
    column = COLUMNS[place.number]
    return {column: user, f"{column}_ready": is_ready}


def _columns(options: Options) -> Columns:
    return {
        "rules": options.rules,
        "clock_kind": options.clock.kind,
        "clock_initial": options.clock.initial,
        "clock_increment": options.clock.increment,
        "side": options.side,
        "is_public": options.public,
    }
