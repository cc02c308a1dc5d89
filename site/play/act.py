"""The one door: every change of a game goes through here, and nothing else writes games.

A command is judged by the rules, committed by compare-and-swap, and only then answered and shown.
"""

import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from django.db import transaction
from msgspec.structs import asdict

from games.catalogue import UnknownRules, rules_of
from games.core import OTHER, Role
from games.ledger import GENESIS, chained, entry_text, text_of
from play import clocks, sight, wire
from play.change import as_json, clock_of
from play.clocks import Clock
from play.commands import Abort, Act, Claim, Command, Credit, Draw, Flag, Idle, Resign, Takeback
from play.desk import desk
from play.models import Entry, Game, Seat
from play.permit import Permit
from play.presence import presence
from play.receipts import Receipt
from play.refusals import Reason, Refused

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
KEEPERS: list[Callable[[Collection[str]], Collection[str]]] = []
DEPARTURE = "site:departure"  # an id that no page can send: theirs have no colon
SLUG_LENGTH = 22  # 58 ** 22 > 2 ** 128: an address that is not told cannot be found


def new_slug() -> str:
    """A name for an address that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SLUG_LENGTH))


def open_game(
    key: str,
    clock: Clock,
    seats: Mapping[Role, Any],
    public: bool,
    lobby: str = "",
    watch: bool = True,
) -> Game:
    """Starts a game between two users; call it inside `transaction.atomic`.

    `watch` says whether spectators may look on while it runs.
    Raises `games.catalogue.UnknownRules`, and ValueError unless two different users sit down.
    """
    if len(seats) != 2 or seats["white"] == seats["black"]:
        raise ValueError("a game needs two different users")
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("a game is opened inside a transaction")
    rules, at = rules_of(key), clocks.now()
    state = rules.start()
    times = clocks.started(clock, rules.control(state), at)
    slug, left = new_slug(), clock_of(clock, times, at)
    body = {"rules": key, "clock": asdict(clock)}
    head = chained(GENESIS, entry_text(slug, 0, "open", None, None, at, 0, left, body))
    game = Game.objects.create(
        slug=slug,
        rules=key,
        clock_kind=clock.kind,
        clock_initial=clock.initial,
        clock_increment=clock.increment,
        is_public=public,
        watch=watch,
        has_bot=any(user.is_bot for user in seats.values()),
        lobby=lobby,
        head=head,
        position=rules.write(state),
        times=as_json(times),
        deadline=clocks.deadline(clock, times),
        created=at,
        changed=at,
    )
    Seat.objects.bulk_create(
        Seat(
            game=game,
            role=role,
            user=seats[role],
            against=seats[OTHER[role]],
            rules=key,
            is_shown=public and watch,
        )
        for role in seats
    )
    Entry.objects.create(
        game=game,
        rev=0,
        kind="open",
        received_at=at,
        clock=text_of(left),
        body=text_of(body),
        hash=head,
    )
    return game


def spare(keeper: Callable[[Collection[str]], Collection[str]]) -> None:
    """Names a function that is given slugs and returns those of games that must be kept; called
    when an app is ready."""
    KEEPERS.append(keeper)


def erase(slugs: Collection[str]) -> int:
    """Deletes games with all that is kept of them: THE ONLY ERASER. How many were deleted.

    For games that only computer players have played, and that are over. One with a person in it,
    one that started in a lobby and one that somebody needs (see `spare`) stays, whoever asks.
    """
    kept = {slug for keeper in KEEPERS for slug in keeper(slugs)}
    games = Game.objects.over().filter(slug__in=set(slugs) - kept, lobby="")
    with transaction.atomic():
        doomed = list(games.exclude(seats__user__is_bot=False).values_list("pk", flat=True))
        Game.objects.filter(pk__in=doomed).delete()
    return len(doomed)


async def audience(slug: str, user: int | None) -> str:
    """Whose eyes a user has in a game: a role's, or a spectator's.

    Raises `Refused` if it is played without spectators, and if its rule set has been withdrawn;
    neither is told from a game that does not exist.
    """
    try:
        live = await desk().find(slug)
    except UnknownRules:
        raise Refused(Reason.GONE) from None
    if live and not sight.may_look(live, user):
        live = await desk().renew(slug)  # it may have ended in another process
        if live and not sight.may_look(live, user):
            raise Refused(Reason.GONE)
    return (live and live.role_of(user)) or "spectator"


async def has_lost(slug: str, rev: int) -> bool:
    """Whether the database lacks a rev that a page has seen: it was restored from a backup."""
    live = await desk().find(slug)
    if live is not None and rev > live.rev:
        live = await desk().renew(slug)  # another process may have written it
    return live is not None and rev > live.rev


async def act(
    slug: str, user: int, turn: int, actions: tuple[str, ...], id: str, received_at: int
) -> Receipt:
    """Seals the actions of a go; the receipt comes after the commit. Raises `Refused`."""
    return await desk().perform(Act(slug, user, id, received_at, turn, actions))


async def perform(
    slug: str,
    user: int | None,
    message: Any,
    received_at: int,
    lag: int = 0,
    permit: Permit | None = None,
) -> Receipt:
    """Does what a page's message asks for, which was `lag` ms on its way; the receipt comes after
    the commit. Raises `Refused`; a `permit` must not have been revoked at the commit."""
    if isinstance(message, wire.Claim) and message.way != "quiet":
        await presence().note(slug)  # so that nobody who is here counts as gone
    who = {"slug": slug, "user": user, "received_at": received_at, "lag": lag, "permit": permit}
    return await desk().perform(_command(message, {**who, "id": message.id}))


def _command(message: Any, who: dict[str, Any]) -> Command:
    match message:
        case wire.Act():
            actions, takebacks = message.actions, message.takebacks
            return Act(**who, turn=message.turn, actions=actions, takebacks=takebacks)
        case wire.Draw():
            return Draw(**who, do=message.do, rev=message.rev)
        case wire.Takeback():
            return Takeback(**who, do=message.do, rev=message.rev)
        case wire.Resign():
            return Resign(**who)
        case wire.Abort():
            return Abort(**who)
        case wire.Claim():
            return Claim(**who, way=message.way)
    raise Refused(Reason.UNKNOWN_MESSAGE)


async def resign(slug: str, user: int) -> None:
    """Gives a game up for somebody who has left the site for good; else nothing happens."""
    with suppress(Refused):
        await desk().perform(Resign(slug, user, DEPARTURE, clocks.now()))


async def look_at_clocks(slug: str, at: int) -> None:
    """Ends a game in which a role's time has run out at `at` (epoch ms); else nothing happens."""
    with suppress(Refused):
        await desk().perform(Flag(slug, at))


async def ask_for_flag(slug: str, at: int) -> None:
    """End the game if time has run out, on a page's request.

    If the cached clock still has time left, return without a query: pages may ask often. The
    sweeper looks at what the database has.
    """
    live = await desk().find(slug)
    if live is not None and clocks.flagged(live.clock, live.times, at):
        await look_at_clocks(slug, at)


async def look_for_idleness(slug: str, at: int) -> None:
    """Ends a game without a clock in which nothing has happened for a week; else does nothing."""
    with suppress(Refused):
        await desk().perform(Idle(slug, at))


async def give_back(slug: str, down_since: int, at: int) -> None:
    """Credits the time during which no server was there to both clocks; else nothing happens."""
    try:
        await desk().perform(Credit(slug, down_since, at))
    except Refused as refused:
        if refused.reason in (Reason.BUSY, Reason.UNSURE):
            raise  # it could not be written: the caller has to know
