"""Actions of people in a lobby: create, join, leave, ready, choose, swap, close.

Each action is decided inside `transactions.change`, on the lobby as it stands then. All raise
Refused.
"""

from collections.abc import Callable

from django.db import transaction

from accounts.models import User
from accounts.refusals import Refused
from lobby.forms import values_of
from lobby.lobbies.lobby_checks import (
    check_is_host,
    check_levels,
    check_may_be_rated,
    check_may_play,
    check_not_barred,
    check_not_blocked,
    check_not_own,
    check_not_reserved,
    check_open,
    check_rev,
    check_room,
    seat_numbered,
    seat_of,
)
from lobby.lobbies.transactions import (
    COLUMNS,
    Columns,
    announce,
    change,
    people_of,
    seat_columns,
    settle,
)
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import OTHER, Lobby
from lobby.offers.acceptance import check_may_accept
from play.domain.clocks import now

SAME_CLICK_MS = 10_000  # an equal request within this time is a repeated click
MAX_OPEN_LOBBIES = 5  # lobbies of one host that wait for a first game
BARRED_MS = 60_000  # before a user whose seat was freed may sit again


def create(host: User, options: Options) -> Lobby:
    """Creates a lobby with its host seated and ready. Raises Refused: too many.

    The same request repeated within ten seconds returns the first lobby, or the lobby with its game
    running.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=host.pk)  # serialises clicks
        made = Lobby.objects.hosted_by(host).filter(created__gt=now() - SAME_CLICK_MS)
        if first := made.alive().chosen(options).with_people().first():
            return first
        return open_lobby(host, options)


def open_lobby(
    host: User, options: Options, *, is_quick: bool = False, invited: User | None = None
) -> Lobby:
    """Creates a lobby with its host seated and ready; call it in a transaction.

    `is_quick`: "Play now" opens it. `invited`: a challenge to this user, who alone may join.
    Raises Refused: too many, or rated and the host has no account.
    """
    check_may_play(options, host)
    if Lobby.objects.waiting().not_kept().hosted_by(host).count() >= MAX_OPEN_LOBBIES:
        raise Refused(LobbyReason.TOO_MANY)
    lobby = Lobby.objects.create(
        host=host,
        one=host,
        one_ready=True,
        is_quick=is_quick,
        invited=invited,
        **columns_of(options),
    )
    announce(lobby.code, lobby.rev, people_of(lobby))
    return lobby


def sit(code: str, user: User, number: int | None = None, seen: str = "") -> Lobby:
    """Seats a user and makes them ready, on seat `number` or on the free one.

    `seen` is the digest of the options that the user was shown; empty if unknown. If everybody is
    ready then, the game starts; whoever joins a host from the list may search again if the host
    makes no first move. A user who already has a seat keeps it; a host who answers their
    own invitation is refused. Raises Lobby.DoesNotExist as well.
    """

    def decide(lobby: Lobby) -> Columns:
        check_may_accept(lobby, user)
        if lobby.place_of(user.pk):
            check_not_own(lobby, user)
            return {}
        check_room(lobby, number, seen)
        check_not_barred(lobby, user)
        check_not_blocked(lobby, user)
        check_not_reserved(lobby, user.pk)
        check_may_play(lobby.options, user)
        place = lobby.free if number is None else seat_numbered(lobby, number)
        assert place is not None  # check_room has found a free seat
        seated = seat_columns(place, user, True)
        return {**seated, "is_quick": True} if lobby.is_host_waiting else seated

    return change(code, decide)


def last_options(user: User) -> Options | None:
    """Returns the options of the newest lobby that a user has created, or None."""
    newest = Lobby.objects.hosted_by(user).order_by("-pk").first()
    return newest.options if newest else None


def leave(code: str, user: User) -> Lobby:
    """Frees the seat of a user. The host stays host and may join again.

    A computer player is removed as well, so that nobody who joins later starts a game against it
    unknowingly.
    """

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        gone = seat_columns(seat_of(lobby, user), None, False)
        for place in lobby.places:
            if place.user and place.user.is_bot:
                gone = {**gone, **seat_columns(place, None, False)}
        return {**gone, "swap_by": None}

    return change(code, decide)


def free_seat(code: str, user: User, number: int) -> Lobby:
    """Frees another user's seat for the host and bars that user from sitting for a minute."""

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        check_is_host(lobby, user)
        place = seat_numbered(lobby, number)
        if place.user is None or place.user.pk == user.pk:
            raise Refused(LobbyReason.EMPTY)
        at = now()
        barred = {who: until for who, until in lobby.barred.items() if until > at}
        if not place.user.is_bot:
            barred[str(place.user.pk)] = at + BARRED_MS
        return {**seat_columns(place, None, False), "swap_by": None, "barred": barred}

    return change(code, decide)


def ready(code: str, user: User, seen: str = "") -> Lobby:
    """Makes a seated user ready for the options shown; starts the game if the other is ready.

    Changes nothing once the game has started.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.status == Lobby.Status.PLAYING and lobby.place_of(user.pk):
            return {}
        check_open(lobby)
        place = seat_of(lobby, user)
        if place.is_ready:
            return {}
        check_not_blocked(lobby, user)
        check_rev(lobby, seen)
        check_may_play(lobby.options, user)
        check_levels(lobby, lobby.rules)
        return seat_columns(place, user, True)

    return change(code, decide)


def unready(code: str, user: User) -> Lobby:
    """Makes a seated user not ready."""

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        place = seat_of(lobby, user)
        return seat_columns(place, user, False) if place.is_ready else {}

    return change(code, decide)


def choose(code: str, user: User, chosen: Options | Callable[[Lobby], Options]) -> Lobby:
    """Changes the options for the host; other seated users have to become ready again.

    `chosen` is the options, or a function that returns them for the lobby as it stands. The others
    see what has changed.
    """

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        check_is_host(lobby, user)
        options = chosen if isinstance(chosen, Options) else chosen(lobby)
        if options == lobby.options:
            return {}
        if options.public and lobby.invited_id is not None:
            raise Refused(LobbyReason.MALFORMED)
        check_levels(lobby, options.rules)
        check_may_play(options, user)
        check_may_be_rated(options, lobby)
        return {**columns_of(options), **_require_ready_again(lobby, user)}

    return change(code, decide)


def swap(code: str, user: User) -> Lobby:
    """Swaps the sides: at once for the host, otherwise when both seated users ask for it.

    A second request of the same user withdraws the first. After a swap by the host alone the other
    has to become ready again.
    """

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        if lobby.side == "lot":
            raise Refused(LobbyReason.NO_SIDES)
        swapped: Columns = {"side": OTHER[lobby.side], "swap_by": None}
        asker = lobby.swap_by_id
        if lobby.host_id == user.pk:
            return swapped if asker else {**swapped, **_require_ready_again(lobby, user)}
        seat_of(lobby, user)
        if asker == user.pk:
            return {"swap_by": None}
        return swapped if asker else {"swap_by": user}

    return change(code, decide)


def close(code: str, user: User) -> Lobby:
    """Closes the lobby for its host."""

    def decide(lobby: Lobby) -> Columns:
        check_open(lobby)
        check_is_host(lobby, user)
        return {"status": Lobby.Status.CLOSED, "why": Lobby.Why.HOST}

    return change(code, decide)


def delete_unplayed(most: int) -> int:
    """Deletes up to `most` closed lobbies without a game; returns how many were examined.

    Their chat is deleted by its age (`chat.chat_service`). Afterwards a guest without another lobby
    can be deleted.
    """
    keys = list(Lobby.objects.unplayed(now()).values_list("pk", flat=True)[:most])
    Lobby.objects.filter(pk__in=keys, status=Lobby.Status.CLOSED).delete()
    return len(keys)


def columns_of(options: Options) -> Columns:
    """Returns the columns that hold these options."""
    return {
        "rules": options.rules,
        "clock_kind": options.clock.kind,
        "clock_initial": options.clock.initial,
        "clock_increment": options.clock.increment,
        "side": options.side,
        "is_public": options.public,
        **({"was_public": True} if options.public else {}),
        "watch": options.watch,
        "is_rated": options.rated,
        "is_counted": options.counted,
    }


def _require_ready_again(lobby: Lobby, chooser: User) -> Columns:
    """Returns the columns that make everybody except `chooser` not ready.

    `before` keeps the options that they were ready for.
    """
    others = [place for place in lobby.places if place.user and place.user.pk != chooser.pk]
    waits = {f"{COLUMNS[place.number]}_ready": False for place in others}
    before = (lobby.before or values_of(lobby.options)) if others else {}
    return {**waits, "before": before, "swap_by": None}


def leave_all_lobbies(user: User) -> bool:
    """Closes a user's lobbies and frees the user's seats in others; returns whether that is done.

    Returns False while a game of the user runs: call it again when that game is over.
    """
    is_all = True
    for lobby in Lobby.objects.of(user).exclude(status=Lobby.Status.CLOSED).with_people():
        try:
            here = settle(lobby)
            (close if here.host_id == user.pk else leave)(here.code, user)
        except Refused as refused:
            is_playing = (
                refused.reason is LobbyReason.STARTED and lobby.place_of(user.pk) is not None
            )
            is_all = is_all and not is_playing
    return is_all
