"""Background work of a web process: heartbeat, flags, periodic tasks, down-time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.abandonment import GONE_LIMIT_MS, IDLE_LIMIT_MS
from play.domain.game_refusals import Reason
from play.models import Game
from play.process_models import Heartbeat
from play.runtime import clock_sync, game_commands, write_probe
from play.runtime.game_service import GameService
from play.runtime.open_sockets import ACCEPTING
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

SWEEP_INTERVAL_S = 0.25
HEARTBEAT_INTERVAL_MS = 1_000
DOWN_AFTER_MS = 3_000  # without a heartbeat: the server was down
JOIN_DOWN_AFTER_MS = HEARTBEAT_INTERVAL_MS + 300  # the same at the start, beside other processes
MAX_FORSAKEN_GAMES = 500  # ended at a time
FAIR_TIMEOUT_S = 5.0  # for which an action waits for the database
log = logging.getLogger("quiver.play")
unreadable_slugs: set[str] = set()  # games that could not be read, each logged once


def read_heartbeat() -> int | None:
    """Return when some server process was last alive (epoch ms); None before the first start."""
    return Heartbeat.objects.values_list("at", flat=True).first()


def write_heartbeat(at: int) -> None:
    """Store that a server process was alive at `at`, regardless of the stored time."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": at})


def keep_heartbeat(at: int) -> bool:
    """Store that the site is alive at `at`, if the last heartbeat is recent; return whether it is.

    If not, no heartbeat could be written for a while, and that time has to be credited first.
    """
    row = Heartbeat.objects.filter(pk=1, at__gte=at - DOWN_AFTER_MS)
    return bool(row.filter(at__lt=at).update(at=at)) or row.exists()


def timed_games() -> list[str]:
    """Return the slugs of live games in which a clock runs."""
    return list(Game.objects.timed().values_list("slug", flat=True))


def overdue_games(at: int) -> list[str]:
    """Return the slugs of games whose flag has to fall at `at`."""
    return list(Game.objects.overdue(at - clocks.FLAG_DELAY_MS).values_list("slug", flat=True))


async def credit_down_time(games: GameService, at: int, most: int = DOWN_AFTER_MS) -> None:
    """Credit all clocks with the time until `at` without a working server or database.

    No flag falls before. The heartbeat is written last: if this process dies before, the next one
    credits the rest. Several processes may do this at once: a game gets no credit for time before
    its last change (see `decide`).
    """
    alive = await games.run_in_db_thread(read_heartbeat)
    if alive is None or at - alive <= most:
        await games.write_housekeeping(write_heartbeat, at)
    else:
        slugs = await games.run_in_db_thread(timed_games)
        failures = await each(
            slugs, partial(game_commands.credit_down_time, games, down_since=alive, at=at)
        )
        if any(isinstance(failure, Refused) for failure in failures):
            raise Refused(Reason.BUSY)  # retried before any heartbeat or flag
        await games.write_housekeeping(write_heartbeat, at)
        # Logged only after success: while the database fails, this is retried four times a second.
        log.info(
            "the server was down for %.1f s; %d games were credited",
            (at - alive) / 1000,
            len(slugs),
        )


async def sweep(games: GameService) -> None:
    """End the games whose flag has fallen."""
    at = clocks.now()
    slugs = await games.run_in_db_thread(overdue_games, at)
    await each(slugs, partial(game_commands.check_clocks, games, at=at))


def idle_games(at: int) -> list[str]:
    """Return the slugs of games without a clock that had no change for a week."""
    return list(Game.objects.idle(at - IDLE_LIMIT_MS).values_list("slug", flat=True))


async def end_idle_games(games: GameService) -> None:
    """End the games that had no change for too long."""
    at = clocks.now()
    slugs = await games.run_in_db_thread(idle_games, at)
    await each(slugs, partial(game_commands.check_idle, games, at=at))


def forsaken_games(at: int) -> dict[str, int]:
    """Return slug and rev of slow games to which none of their people can come back.

    Only games that had no change for a day, so that a suspension by mistake can be lifted.
    """
    revs: dict[str, int] = {}
    for games in Game.objects.all().slow():
        forsaken = games.forsaken(at - GONE_LIMIT_MS, timezone.now())
        revs.update(forsaken.values_list("slug", "rev")[:MAX_FORSAKEN_GAMES])
    return revs


async def end_forsaken_games(games: GameService) -> None:
    """End the slow games to which none of their people can come back."""
    at = clocks.now()
    revs = await games.run_in_db_thread(forsaken_games, at)
    await each(list(revs), lambda slug: game_commands.end_forsaken(games, slug, at, revs[slug]))


async def each(slugs: list[str], do: Callable[[str], Awaitable[None]]) -> list[Exception]:
    """Run a coroutine for every game; errors are logged, returned, and affect no other game."""
    done = await asyncio.gather(*(do(slug) for slug in slugs), return_exceptions=True)
    for slug, result in zip(slugs, done, strict=True):
        is_logged = slug in unreadable_slugs or _is_outage(result)
        if isinstance(result, Exception) and not is_logged:
            unreadable_slugs.add(slug)
            log.error(
                "game %s was skipped: %s",
                shorten_key(slug),
                type(result).__name__,
                extra={"event": "game_skipped"},
            )
    return [result for result in done if isinstance(result, Exception)]


def _is_outage(result: object) -> bool:
    """Return whether a failure is an outage of the database, which is logged once."""
    if isinstance(result, Refused):
        return result.reason in (Reason.BUSY, Reason.UNSURE)
    return isinstance(result, Exception) and note_outage(result)


class Background:
    """The background tasks of a process; none runs before `start`."""

    def __init__(self, games: GameService, is_alone: bool) -> None:
        self._games = games
        self._is_alone = is_alone  # the only web process
        self.is_ready = asyncio.Event()  # down-time is credited: commands may be decided
        self._heartbeat_at = 0  # ms, last heartbeat of this process
        self._is_failing = False
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, tasks: Iterable[tuple[float, Callable[..., Awaitable[None]], Any]]) -> None:
        """Start, once: the clocks, and functions with their interval (s) and their argument."""
        if self._tasks:
            return
        self._games.wait_until_time_is_fair = self.wait_until_time_is_fair
        self._tasks = [
            asyncio.create_task(self._run()),
            asyncio.create_task(self._watch_outage()),
            *(asyncio.create_task(self._run_periodically(*each)) for each in tasks),
        ]

    async def _run(self) -> None:
        while not ACCEPTING.is_shut:
            try:
                await self._begin() if not self.is_ready.is_set() else await self._write_heartbeat()
                await sweep(self._games)
                self._is_failing = False
            except Exception as error:
                if not _is_outage(error) and not self._is_failing:
                    log.exception(
                        "the clocks could not be checked; retrying",
                        extra={"event": "clock_sweep_failed"},
                    )
                self._is_failing = True
            await asyncio.sleep(SWEEP_INTERVAL_S)

    async def _begin(self) -> None:
        await clock_sync.set_clock(self._games)
        at = clocks.now()
        await credit_down_time(self._games, at, 0 if self._is_alone else JOIN_DOWN_AFTER_MS)
        self._heartbeat_at = at
        self.is_ready.set()

    async def _write_heartbeat(self) -> None:
        at = clocks.now()
        if at - self._heartbeat_at < HEARTBEAT_INTERVAL_MS:
            return
        if not await self._games.write_housekeeping(keep_heartbeat, at):
            await credit_down_time(self._games, at)
        self._heartbeat_at = at

    async def write_last_heartbeat(self, at: int) -> None:
        """Write the exact time until which the clocks ran, if the database can be reached."""
        try:
            await self._games.write_housekeeping(keep_heartbeat, at)
        except DatabaseError as error:
            if not note_outage(error):
                log.exception(
                    "the last heartbeat could not be written; the previous one counts",
                    extra={"event": "heartbeat_failed"},
                )

    def is_time_fair(self) -> bool:
        """Return whether a heartbeat was written lately: no time may have to be credited."""
        return clocks.now() - self._heartbeat_at <= DOWN_AFTER_MS or not self.is_ready.is_set()

    async def wait_until_time_is_fair(self) -> None:
        """Wait while no heartbeat could be written for so long that time may have to be credited.

        An action decided before that would be charged for it. Raise Refused (busy) after
        `FAIR_TIMEOUT_S`.
        """
        for _ in range(round(FAIR_TIMEOUT_S / SWEEP_INTERVAL_S)):
            if self.is_time_fair():
                return
            await asyncio.sleep(SWEEP_INTERVAL_S)
        raise Refused(Reason.BUSY)

    async def _run_periodically(
        self, interval_s: float, run: Callable[..., Awaitable[None]], argument: Any
    ) -> None:
        await self.is_ready.wait()
        while True:
            try:
                await run(argument)
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "%s could not be done; retrying at its next time",
                        run.__qualname__,
                        extra={"event": "periodic_task_failed"},
                    )
            await asyncio.sleep(interval_s)

    async def _watch_outage(self) -> None:
        """End the logged outage of the database when it is over; also before `is_ready`."""
        is_failing = False
        while True:
            await asyncio.sleep(write_probe.PROBE_INTERVAL_S)
            try:
                await write_probe.watch_outage(self._games.write)
            except Exception:
                if not is_failing:
                    log.exception(
                        "the write probe failed; retrying every second",
                        extra={"event": "write_probe_failed"},
                    )
                is_failing = True
            else:
                is_failing = False

    async def stop(self) -> None:
        """Cancel the tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
