"""Commands to games: open one, perform a user's command, check clocks, delete games.

Each command is decided by the rules, committed by compare-and-swap, and only then answered and
shown. A game may begin with given turns: ordinary steps with ordinary entries, so that the rules'
start, `verify` and the log need nothing new; the opening entry says how many were given.
"""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils.module_loading import import_string
from msgspec.structs import asdict

from accounts.refusals import Refused
from games.catalogue import UnknownRules, rules_of
from games.core import OTHER, ROLES, Role
from games.counting import may_be_counted
from games.decided import has_claims
from games.ledger import (
    CLAIMS_FORMAT_VERSION,
    GENESIS,
    LEDGER_FORMAT_VERSION,
    chain_hash,
    entry_text,
    text_of,
)
from play.domain import clocks, visibility
from play.domain.change import as_json, clock_of
from play.domain.clocks import Clock, StartTerms
from play.domain.commands import (
    Act,
    Claim,
    Credit,
    Envelope,
    Flag,
    GameCommand,
    Holiday,
    Idle,
    Resign,
    Takeback,
)
from play.domain.decide import decide
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.domain.holidays import find_uncounted, pausable_roles
from play.models import Entry, Game, Seat
from play.runtime.game_service import GameService
from play.storage import holiday_rows, load
from play.storage.receipts import Receipt
from play.storage.save import Verdict, commit

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
ACCOUNT_DELETION_ID = "site:departure"  # pages cannot send an id with a colon
SLUG_CHARS = 22  # 58 ** 22 > 2 ** 128: cannot be guessed


def new_slug() -> str:
    """Return a random name for an address that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SLUG_CHARS))


def open_game(
    key: str,
    clock: Clock,
    seats: Mapping[Role, Any],
    public: bool,
    lobby: str = "",
    watch: bool = True,
    terms: StartTerms | None = None,
    rated: bool = False,
    counted: bool = True,
    given: int = 0,
) -> Game:
    """Create a game between two users; call it inside `transaction.atomic`.

    `watch` says whether spectators may see it before its end. `terms` are the figures of its start;
    None: those of the site. `rated` says whether it is to count for ratings, `counted` whether own
    squares are counted where the rules alone may end no game, instead of a draw. `given` turns
    follow at once (see `given_turns`); such a game counts for nothing. Raise
    `games.catalogue.UnknownRules`, and ValueError unless there are two different users.
    """
    if len(seats) != 2 or seats["white"] == seats["black"]:
        raise ValueError("a game needs two different users")
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("a game is opened inside a transaction")
    rules, at = rules_of(key), clocks.now()
    state, people = rules.start(), [role for role in ROLES if not seats[role].is_bot]
    if terms is None:
        terms = clocks.start_terms(clock, people, is_simultaneous=rules.is_simultaneous)
    times = clocks.start_clocks(clock, rules.control(state), at, terms)
    slug, left = new_slug(), clock_of(clock, times, at)
    is_counted = counted and may_be_counted(rules)
    body = {
        "format": CLAIMS_FORMAT_VERSION if has_claims(rules) else LEDGER_FORMAT_VERSION,
        "rules": key,
        "clock": asdict(clock),
        **asdict(terms),
    }
    if rated:
        body["rated"] = True
    if is_counted:
        body["counted"] = True
    if given:
        body["given"] = given
    head = chain_hash(GENESIS, entry_text(slug, 0, "open", None, None, at, 0, left, body))
    game = Game.objects.create(
        slug=slug,
        rules=key,
        clock_kind=clock.kind,
        clock_initial=clock.initial,
        clock_increment=clock.increment,
        is_public=public,
        watch=watch,
        has_bot=any(user.is_bot for user in seats.values()),
        is_rated=rated,
        is_counted=is_counted,
        claims="{}" if has_claims(rules) else None,
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
            has_account=seats[role].is_account,
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


def delete_games(slugs: Collection[str]) -> int:
    """Delete games with all their rows; return how many were deleted.

    Only games that are over and in which only computer players have played are deleted. A game with
    a person in it, one that started in a lobby, and one that a function of the setting
    GAME_RETENTION_RULES names stays.
    """
    kept = {slug for path in settings.GAME_RETENTION_RULES for slug in import_string(path)(slugs)}
    games = Game.objects.over().filter(slug__in=set(slugs) - kept, lobby="")
    with transaction.atomic():
        doomed = list(games.exclude(seats__user__is_bot=False).values_list("pk", flat=True))
        Game.objects.filter(pk__in=doomed).delete()
    return len(doomed)


async def audience_of(games: GameService, slug: str, user: int | None) -> str:
    """Return the audience of a user in a game: a role, or `spectator`.

    Raise `Refused` if the user may not see it, or if its rule set was withdrawn; neither can be
    told from a game that does not exist.
    """
    try:
        game = await games.find(slug)
    except UnknownRules:
        raise Refused(Reason.GONE) from None
    if game and not visibility.may_watch(game, user):
        game = await games.renew(slug)  # it may have ended in another process
        if game and not visibility.may_watch(game, user):
            raise Refused(Reason.GONE)
    return (game and game.role_of(user)) or "spectator"


async def has_lost(games: GameService, slug: str, rev: int) -> bool:
    """Return whether the database lacks a rev that a page has seen.

    This happens after it was restored from a backup.
    """
    game = await games.find(slug)
    if game is not None and rev > game.rev:
        game = await games.renew(slug)  # another process may have written it
    return game is not None and rev > game.rev


async def perform(
    games: GameService,
    slug: str,
    user: int | None,
    command: GameCommand,
    received_at: int,
    lag: int = 0,
) -> Receipt:
    """Perform a user's command that took `lag` ms to arrive; return the receipt after the commit.

    Raise `Refused`.
    """
    if isinstance(command, Claim) and command.way != "quiet":
        await games.before_claim(slug)  # so that a present player does not count as absent
    if isinstance(command, Act | Takeback):
        game = await games.find(slug)
        if game is not None and game.clock.is_by_days:
            await _count_holidays_by_days(games, game, received_at)
    return await games.perform(Envelope(slug, user, received_at, command, lag))


async def resign(games: GameService, slug: str, user: int) -> None:
    """Resign a game for a user who has deleted the account; do nothing if that is refused."""
    with suppress(Refused):
        await games.perform(Envelope(slug, user, clocks.now(), Resign(ACCOUNT_DELETION_ID)))


async def check_clocks(games: GameService, slug: str, at: int) -> None:
    """End a game whose deadline has passed at `at` (epoch ms), or begin it; else do nothing.

    Where a holiday stops the flag, it stops the user's clocks in the other games as well.
    """
    with suppress(Refused):
        await games.perform(Flag(slug, at))
        game = await games.find(slug)
        if game is not None and game.clock.is_by_days and game.ending is None:
            for other in await games.run_in_db_thread(holiday_rows.other_games, slug, at):
                await count_holidays(games, other, at)


async def count_holidays(games: GameService, slug: str, at: int) -> None:
    """Stop the clocks of a game for the holidays of its users that began before `at`."""
    with suppress(Refused):
        await games.perform(Holiday(slug, at))


async def _count_holidays_by_days(games: GameService, game: GameState, at: int) -> None:
    """Credit a clock by days with the time of its holidays, before an action settles it.

    With a time limit per turn, this matters for an action that is only part of a turn.
    """
    for role in pausable_roles(game):
        starts = await games.holiday_starts.get((game.people[role].user, game.times.since))
        if find_uncounted(game, role, starts or [], at):
            await count_holidays(games, game.slug, at)
            return


async def check_flag_request(games: GameService, slug: str, at: int) -> None:
    """End or begin the game if its deadline has passed, on a page's request.

    If the cached clock still has time left, return without a query: pages may ask often. The
    sweeper checks the database.
    """
    game = await games.find(slug)
    if game is not None and clocks.is_overdue(game.clock, game.times, at):
        await check_clocks(games, slug, at)


async def check_idle(games: GameService, slug: str, at: int) -> None:
    """End a game without a clock if it had no change for a week."""
    with suppress(Refused):
        await games.perform(Idle(slug, at))


async def end_forsaken(games: GameService, slug: str, at: int, rev: int) -> None:
    """End a slow game whose people were gone for good when it was at `rev`."""
    with suppress(Refused):
        await games.perform(Idle(slug, at, are_gone=True, rev=rev))


async def credit_down_time(games: GameService, slug: str, down_since: int, at: int) -> None:
    """Credit both clocks with the time in which no server ran, if they ran."""
    try:
        await games.perform(Credit(slug, down_since, at))
    except Refused as refused:
        if refused.reason in (Reason.BUSY, Reason.UNSURE):
            raise  # the caller has to retry


class GameIsOver(Exception):
    """The game is over after the given turns."""


def play_given_turns(game: Game, turns: Sequence[Sequence[str]]) -> None:
    """Play whole turns, canonical actions each, in the transaction that opens a game.

    No clock may run in it. Raise Refused for an illegal turn, GameIsOver.
    """
    if game.clock_kind != "none":
        raise ValueError("turns are given in games without a clock")
    users: dict[str, int] = dict(Seat.objects.filter(game=game).values_list("role", "user_id"))
    live = load.fetch(game.slug)
    assert live is not None
    for number, actions in enumerate(turns):
        (role,) = live.control
        act = Act(f"given-{number}", live.step, tuple(actions), live.takebacks)
        change = decide(live, Envelope(game.slug, users[role], game.created, act))
        if change.after.ending is not None:
            raise GameIsOver
        if commit([change]) != [Verdict.WON]:
            raise DatabaseError("a given turn could not be stored")
        live = change.after


def has_given_turns(game: int) -> bool:
    """Return whether a game began with given turns, by its opening entry. One query."""
    entry = Entry.objects.filter(game=game, rev=0).first()
    return entry is not None and "given" in json.loads(entry.body)
