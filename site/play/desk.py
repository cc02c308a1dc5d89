"""Where the commands of a process meet its games: judged one at a time, committed together.

One desk for each event loop. While a game's commit is in flight, nothing else of that game is
judged; changes of different games that arrive meanwhile share the next transaction.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection
from msgspec.structs import replace

from accounts.outage_log import note_outage
from accounts.redaction import shorten_key
from play import again, meters, reading, receipts
from play.change import Change
from play.commands import Command
from play.inquiries import INQUIRIES
from play.judge import judge
from play.live import Live
from play.perloop import per_loop
from play.queues import Queues
from play.receipts import Receipt
from play.refusals import Reason, Refused
from play.store import Verdict

T = TypeVar("T")
HELD = 10_000  # games kept in memory by one process, of about 3 KB each
MOST_UNDER_WAY = 8  # commands of one user in one game that are not answered yet
TRIES = 8  # how often a command is judged anew when another process was faster
WATCHERS: list[Callable[[Live], None]] = []  # told of each change that this process has made
LISTENERS: list[Callable[[Live], None]] = []  # told of each game that has ended
log = logging.getLogger("quiver.play")


class Desk:
    """The games that this process holds, and the two threads that speak with the database."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Live] = OrderedDict()
        self._queues = Queues()  # of those who change a game in this process
        self._under_way: Counter[tuple[str, int | None]] = Counter()  # commands by game and user
        self._queue: list[tuple[Change, asyncio.Future[Verdict]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._asked: list[tuple[str, asyncio.Future[None]]] = []  # games to be renewed
        self._renewing: asyncio.Task[None] | None = None
        self._writer = ThreadPoolExecutor(1, "quiver-writer")
        self._reader = ThreadPoolExecutor(1, "quiver-reader")
        self.on_change: Callable[[Live], None] = lambda live: None
        self.until_fair: Callable[[], Awaitable[None]] = _at_once  # waited for before a judgement

    async def read(self, function: Callable[..., T], *args: Any) -> T:
        """Runs a function that queries the database, in the reader's thread; again if that fails,
        so it has to do the same when it is run twice."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reader, again.again, function, *args)

    async def write(self, function: Callable[..., T], *args: Any) -> T:
        """Runs a function in the writer's thread and on its connection, between two batches of
        commits; again if it fails, as `read` does."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, again.again, function, *args)

    async def version_of_others(self) -> int:
        """A number that differs after any connection but the writer's has committed (SQLite)."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, again.again, data_version)

    async def find(self, slug: str) -> Live | None:
        """A game as this process knows it, or as the database has it; None if there is none."""
        held = self._games.get(slug)
        if held is not None:
            self._games.move_to_end(slug)
            return held
        found = await self.read(reading.fetch, slug)
        return self._hold(found) if found else None

    async def renew(self, slug: str) -> Live | None:
        """A game at the rev that the database has now."""
        if slug in self._games:
            renewed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._asked.append((slug, renewed))
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.create_task(self._renew())
            await renewed
        return await self.find(slug)

    async def perform(self, command: Any) -> Receipt:
        """Judges a command and commits what it changes; the receipt comes after the commit.

        Raises `Refused`; a refusal rests on what the database has, never on this cache alone. Only
        a user with too many commands under way in this game is refused without that.
        """
        if not isinstance(command, Command):
            return await self._in_turn(command)
        with self._counted(command):
            await self.until_fair()
            return await self._in_turn(command)

    @contextmanager
    def _counted(self, command: Command) -> Iterator[None]:
        """Counts a command as under way for as long as the block runs. Raises `Refused` (slow down)
        for a user with many in this game: behind them the other role's actions would wait, perhaps
        until another process lets the flag fall."""
        key = command.slug, command.user
        if self._under_way[key] >= MOST_UNDER_WAY:
            raise Refused(Reason.SLOW_DOWN)
        self._under_way[key] += 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]

    async def _in_turn(self, command: Any) -> Receipt:
        """Performs a command when nothing else of its game is being judged or committed."""
        await self._queues.enter(command.slug)
        try:
            return await self._perform(command)
        finally:
            self._queues.leave(command.slug)

    async def forget_user(self, user: int) -> None:
        """Has the games of a user read anew when they are next asked for: the name has changed."""
        await self.read(int)  # what was being read before has been put among the games by then
        for live in [live for live in self._games.values() if live.role_of(user)]:
            await self._queues.enter(live.slug)
            self._games.pop(live.slug, None)
            self._queues.leave(live.slug)

    async def _perform(self, command: Any) -> Receipt:
        live = await self.find(command.slug)
        for _ in range(TRIES):
            if live is None:
                raise Refused(Reason.GONE)
            command = _after(live, command)
            try:
                inquire = INQUIRIES.get(type(command))
                informed = await self.read(inquire, live, command) if inquire else command
                change = judge(live, informed)
            except Refused:
                fresh = await self.renew(command.slug)
                if fresh is not live:
                    live = fresh
                    continue
                if known := await self._known(live, command):
                    return known
                raise
            verdict = await self._commit(change)
            if verdict is Verdict.WON:
                self._hold(change.after)
                self._tell(change)
                return receipts.of_change(change)
            if verdict is Verdict.REVOKED:
                raise Refused(Reason.SIGNED_OUT)
            if verdict is Verdict.FAILED:
                raise Refused(Reason.BUSY)
            if verdict is Verdict.UNSURE:
                raise Refused(Reason.UNSURE)
            if verdict is Verdict.TWICE and (known := await self._known(live, command)):
                return known
            live = await self.renew(command.slug)
        raise Refused(Reason.BUSY)

    def _tell(self, change: Change) -> None:
        """Shows a change; what goes wrong there does not undo the commit, so it is no refusal."""
        has_ended = change.after.ending and not change.before.ending
        for listener in [self.on_change, *WATCHERS, *(LISTENERS if has_ended else ())]:
            try:
                listener(change.after)
            except Exception:
                log.exception("a change of %s could not be shown", shorten_key(change.after.slug))

    async def _known(self, live: Live, command: Any) -> Receipt | None:
        """The first receipt of a repeated id; `Refused` if it meant something else then."""
        if not isinstance(command, Command):
            return None
        role = live.role_of(command.user)
        if role is None:
            return None
        return await self.read(receipts.recall, live, role, command)

    async def _commit(self, change: Change) -> Verdict:
        decided: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._queue.append((change, decided))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await decided

    async def _flush(self) -> None:
        """Commits what has queued up, batch after batch, until nothing is left."""
        loop = asyncio.get_running_loop()
        while self._queue:
            batch, self._queue = self._queue, []
            try:
                verdicts: Sequence[Verdict] = await loop.run_in_executor(
                    self._writer, again.commit, [change for change, _ in batch]
                )
            except Exception as error:
                if not note_outage(error, refused=len(batch)):
                    log.exception("a batch of %d changes could not be committed", len(batch))
                verdicts = [Verdict.UNSURE] * len(batch)
            meters.BATCH.observe(len(batch))
            failures = verdicts.count(Verdict.FAILED) + verdicts.count(Verdict.UNSURE)
            meters.FAILURES.inc(failures)
            for (change, decided), verdict in zip(batch, verdicts, strict=True):
                if not decided.done():
                    decided.set_result(verdict)
                elif verdict is Verdict.WON:  # whoever asked is gone; all others are to see it
                    self._hold(change.after)
                    self._tell(change)

    async def _renew(self) -> None:
        """Reads the games that somebody waits for; those asked for meanwhile are the next batch."""
        while self._asked:
            asked, self._asked = self._asked, []
            held = [self._games[slug] for slug in {slug for slug, _ in asked} & self._games.keys()]
            try:
                troubles = self._renewed(held, await self.read(reading.refresh_many, held))
            except Exception as error:
                troubles = {slug: error for slug, _ in asked}
            for slug, renewed in asked:
                if renewed.done():
                    continue
                if slug in troubles:
                    renewed.set_exception(troubles[slug])
                else:
                    renewed.set_result(None)

    def _renewed(
        self, held: Sequence[Live], read: Sequence[Live | reading.Unreadable | None]
    ) -> dict[str, Exception]:
        """Keeps what was read of games, unless they have been forgotten meanwhile; what was wrong
        with the others."""
        troubles: dict[str, Exception] = {}
        for live, fresh in zip(held, read, strict=True):
            if fresh is None:
                self._games.pop(live.slug, None)
            elif isinstance(fresh, reading.Unreadable):
                troubles[live.slug] = fresh
            elif live.slug in self._games:
                self._hold(fresh)
        return troubles

    def _hold(self, live: Live) -> Live:
        """Keeps the newer of two values of a game, and forgets the game unused for longest."""
        held = self._games.get(live.slug)
        if held is None or live.rev > held.rev:
            self._games[live.slug] = held = live
        self._games.move_to_end(live.slug)
        while len(self._games) > HELD:
            self._games.popitem(last=False)
        return held

    async def close(self) -> None:
        """Waits for what has begun, and closes both threads' connections."""
        await self._queues.end()
        for running in (self._flushing, self._renewing):
            if running:
                await running
        loop = asyncio.get_running_loop()
        for pool in (self._writer, self._reader):
            await loop.run_in_executor(pool, close_connection)
            pool.shutdown()


def _after(live: Live, command: Any) -> Any:
    """The command, received no sooner than the game's last change: one that had to wait comes after
    what was given back meanwhile, and pays for nothing of that."""
    if isinstance(command, Command) and command.received_at < live.changed:
        return replace(command, received_at=live.changed)
    return command


async def _at_once() -> None:
    """Where nothing is to be waited for."""


def data_version() -> int:
    """How often others than the calling thread's connection have committed, as SQLite counts."""
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA data_version").fetchone()[0])


def close_connection() -> None:
    """Closes the calling thread's connection."""
    connection.close()


desk = per_loop(Desk)
