"""What goes on behind the pages of a web process: pulse, sweeper, chores, credit after a stop."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from functools import partial

from django.db import DatabaseError

from accounts.outage_log import note_outage
from accounts.redaction import shorten_key
from play import act, clocks, steering, write_probe
from play.bus import bus
from play.desk import desk
from play.endings import IDLE
from play.hub import hub
from play.mailbox import GATE, every_open
from play.models import Game, Pulse
from play.perloop import per_loop
from play.refusals import Reason, Refused

EVERY = 0.25  # seconds between two looks at the deadlines
PULSE = 1_000  # ms between two pulses
DOWN = 3_000  # ms without any pulse after which the server is said to have been down
STOPPED = PULSE + 300  # the same for a process that joins others: none of them was alive either
LONGEST = 5.0  # seconds for which an action waits until the database can be reached again
ANSWERS = 2.0  # seconds that commands have to be answered in before their pages are sent away
RETRY = (300, 1_500)  # ms, between which pages come back after a restart, or twice as late
GOODBYE = 0.5  # seconds for the last frames to be written
log = logging.getLogger("quiver.play")
CHORES: list[tuple[float, Callable[[], Awaitable[None]]]] = []  # seconds, and what to do
left_alone: set[str] = set()  # games that could not be read, each logged once


def read_pulse() -> int | None:
    """When some server process was last alive (epoch ms); None before the first start."""
    return Pulse.objects.values_list("at", flat=True).first()


def write_pulse(at: int) -> None:
    """Says that a server process was alive at `at`, whatever was said before."""
    Pulse.objects.update_or_create(pk=1, defaults={"at": at})


def keep_pulse(at: int) -> bool:
    """Says that the site is alive at `at`, if some process has said so not long before; else false:
    nobody could say it, and what ran meanwhile has to be given back first."""
    row = Pulse.objects.filter(pk=1, at__gte=at - DOWN)
    return bool(row.filter(at__lt=at).update(at=at)) or row.exists()


def timed_games() -> list[str]:
    """The slugs of live games in which a clock runs."""
    return list(Game.objects.timed().values_list("slug", flat=True))


def overdue_games(at: int) -> list[str]:
    """The slugs of games whose flag has to fall."""
    return list(Game.objects.overdue(at - clocks.FLAG_AFTER).values_list("slug", flat=True))


async def credit_down_time(at: int, most: int = DOWN) -> None:
    """Gives all clocks back what ran until `at` while no server was there, or none that reached the
    database; before any flag falls.

    The pulse is written last: if this process dies on the way, the next one gives the rest. Several
    may do it at once: a game is given nothing for a time before its last change (see `judge`).
    """
    alive = await desk().read(read_pulse)
    if alive is None or at - alive <= most:
        await desk().read(write_pulse, at)
    else:
        slugs = await desk().read(timed_games)
        failures = await each(slugs, partial(act.give_back, down_since=alive, at=at))
        if any(isinstance(failure, Refused) for failure in failures):
            raise Refused(Reason.BUSY)  # no pulse, no flags: it is tried again first
        await desk().read(write_pulse, at)
        # Only now: while the database cannot be written, this is tried four times a second.
        log.info("down for %.1f s: %d clocks are credited", (at - alive) / 1000, len(slugs))


async def sweep() -> None:
    """Lets the flags fall that have to."""
    at = clocks.now()
    slugs = await desk().read(overdue_games, at)
    await each(slugs, partial(act.look_at_clocks, at=at))


def idle_games(at: int) -> list[str]:
    """The slugs of games without a clock in which nothing has happened for a week."""
    return list(Game.objects.idle(at - IDLE).values_list("slug", flat=True))


async def end_what_is_idle() -> None:
    """Ends the games that both have left alone for too long."""
    at = clocks.now()
    slugs = await desk().read(idle_games, at)
    await each(slugs, partial(act.look_for_idleness, at=at))


async def each(slugs: list[str], do: Callable[[str], Awaitable[None]]) -> list[Exception]:
    """Does something with every game; one that cannot be read is logged and harms no other."""
    done = await asyncio.gather(*(do(slug) for slug in slugs), return_exceptions=True)
    for slug, result in zip(slugs, done, strict=True):
        is_logged = slug in left_alone or _is_outage(result)
        if isinstance(result, Exception) and not is_logged:
            left_alone.add(slug)
            log.error("game %s was left alone: %s", shorten_key(slug), type(result).__name__)
    return [result for result in done if isinstance(result, Exception)]


def _is_outage(result: object) -> bool:
    """Report a failure if it is an outage of the database, which is logged once; return whether it
    is."""
    if isinstance(result, Refused):
        return result.reason in (Reason.BUSY, Reason.UNSURE)
    return isinstance(result, Exception) and note_outage(result)


def chore(every: float, run: Callable[[], Awaitable[None]]) -> None:
    """Has something done every so many seconds in the web process; called when an app is ready.

    An error is logged, and it is tried again at the next time. Several processes may do it at once.
    """
    CHORES.append((every, run))


class Background:
    """The tasks of one event loop."""

    def __init__(self) -> None:
        self.is_ready = asyncio.Event()  # down-time is credited: actions may be judged
        self._pulse = 0  # ms, when the last pulse of this process was written
        self._is_failing = False
        desk().until_fair = self.until_fair
        self._tasks = [asyncio.create_task(self._run())]
        self._tasks.append(asyncio.create_task(self._keep_watching()))
        self._tasks += [asyncio.create_task(self._keep_doing(*each)) for each in CHORES]

    async def _run(self) -> None:
        while not GATE.is_shut:
            try:
                await self._begin() if not self.is_ready.is_set() else await self._beat()
                await sweep()
                self._is_failing = False
            except Exception as error:
                if not _is_outage(error) and not self._is_failing:
                    log.exception("the clocks could not be looked at; trying until they can be")
                self._is_failing = True
            await asyncio.sleep(EVERY)

    async def _begin(self) -> None:
        await steering.begin()
        at = clocks.now()
        await credit_down_time(at, 0 if bus().is_alone else STOPPED)
        self._pulse = at
        self.is_ready.set()

    async def _beat(self) -> None:
        at = clocks.now()
        if at - self._pulse < PULSE:
            return
        if not await desk().read(keep_pulse, at):
            await credit_down_time(at)
        self._pulse = at

    async def last_beat(self, at: int) -> None:
        """Says to the millisecond until when the clocks ran, if the database can be reached."""
        try:
            await desk().read(keep_pulse, at)
        except DatabaseError as error:
            if not note_outage(error):
                log.exception("the last pulse could not be written; the one before it counts")

    async def until_fair(self) -> None:
        """Waits while the database has not been reached for so long that time may have to be given
        back: an action judged before would pay for it. Raises Refused (busy) after some seconds."""
        for _ in range(round(LONGEST / EVERY)):
            if clocks.now() - self._pulse <= DOWN or not self.is_ready.is_set():
                return
            await asyncio.sleep(EVERY)
        raise Refused(Reason.BUSY)

    async def _keep_doing(self, every: float, run: Callable[[], Awaitable[None]]) -> None:
        await self.is_ready.wait()
        while True:
            try:
                await run()
            except Exception as error:
                if not note_outage(error):
                    log.exception("%s could not be done; it is tried again", run.__qualname__)
            await asyncio.sleep(every)

    async def _keep_watching(self) -> None:
        """Ends the logged outage of the database when it is over; also before `is_ready`."""
        is_failing = False
        while True:
            await asyncio.sleep(write_probe.EVERY_S)
            try:
                await write_probe.watch_outage()
            except Exception:
                if not is_failing:
                    log.exception("the write probe failed; it is tried again every second")
                is_failing = True
            else:
                is_failing = False

    async def stop(self) -> None:
        """Ends them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        background.forget()


async def farewell() -> None:
    """Sends every page away with a notice, takes no more frames, and waits for running commits.

    From the first moment on nobody can act here: what the clocks run meanwhile is given back.
    """
    GATE.is_shut = True
    at = clocks.now()
    await GATE.quiet(ANSWERS)
    goings = [
        asyncio.wait_for(box.say_bye(random.randint(*RETRY)), GOODBYE) for box in every_open()
    ]
    await asyncio.gather(*goings, return_exceptions=True)
    await asyncio.sleep(GOODBYE if goings else 0)
    await background().last_beat(at)
    await background().stop()
    await hub().close()


background = per_loop(Background)


def ensure_started() -> Background:
    """Starts the work behind the pages, once for the running loop."""
    return background()
