"""The game service: caches games, decides their commands and commits changes in batches.

There is one service for each event loop. It decides one command per game at a time: while a game's
commit is in flight, no other command of that game is decided; changes of other games that arrive
meanwhile share the next transaction.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection

from accounts.refusals import Refused
from play.domain.change import Change
from play.domain.commands import Envelope, ServerCommand
from play.domain.decide import clamp_received_at, decide
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.runtime.commit_queue import CommitQueue, DatabaseThread
from play.runtime.game_cache import GameCache, GameLocks
from play.runtime.renewals import Renewals
from play.runtime.topics import Topic, concerned_topics
from play.storage import load, receipts, retry
from play.storage.batched_reads import BatchedReads
from play.storage.holiday_rows import UserSince, read_starts
from play.storage.preload import PRELOADERS, SLOW_PRELOADERS
from play.storage.receipts import Receipt
from play.storage.save import Verdict
from telemetry.redaction import shorten_key

T = TypeVar("T")
MAX_COMMANDS_PER_USER = 8  # pending commands of one user in one game
MAX_TRIES = 8  # decisions of a command when other processes win the swap
Watcher = Callable[[GameState, Sequence[Topic]], None]
EndListener = Callable[["GameService", GameState], None]
END_LISTENERS: list[EndListener] = []
UNCOMMITTED = {
    Verdict.FAILED: Reason.BUSY,
    Verdict.UNSURE: Reason.UNSURE,
}
log = logging.getLogger("quiver.play")


def on_game_over(listener: EndListener) -> None:
    """Register a function to be called with each game that this process ends, and its service.

    Call it when an app is ready. The function runs in the event loop after the commit, so it has to
    return at once.
    """
    END_LISTENERS.append(listener)


class GameService:
    """The cached games of this process, and its three database threads.

    One commits, one reads, and one prepares the few decisions that take long (`SLOW_PRELOADERS`).

    `watchers` are called with each game that this process has changed and the other topics
    concerned. Before a user's command is decided `wait_until_time_is_fair` is awaited, unless
    `is_time_fair`, and before a claim that the other player is absent `before_claim`, with the
    slug. `is_watched` says whether a page of this process shows a game, which is then kept cached.
    """

    make_database_thread: Callable[[str], DatabaseThread] = DatabaseThread  # tests replace it

    def __init__(self) -> None:
        self._locks = GameLocks()  # held while a command of the game is performed
        self._games = GameCache(self._is_in_use, settings.GAME_CACHE_BYTES)
        self._under_way: dict[tuple[str, int | None], int] = {}  # commands by game and user
        self._renewals = Renewals(self._games, self.run_in_db_thread)
        self._finds: BatchedReads[str, GameState] = BatchedReads(self._find_many)
        self._writer = self.make_database_thread("quiver-writer")
        self.commits = CommitQueue(self._writer)
        self.holiday_starts: BatchedReads[UserSince, list[int]] = BatchedReads(
            partial(self.run_in_db_thread, read_starts)
        )
        self._reader = self.make_database_thread("quiver-reader")
        self._preparer = self.make_database_thread("quiver-preparer")
        self.watchers: list[Watcher] = []
        self.wait_until_time_is_fair: Callable[[], Awaitable[None]] = _no_wait
        self.before_claim: Callable[[str], Awaitable[None]] = _no_wait
        self.is_watched: Callable[[str], bool] = lambda slug: False

    async def run_in_db_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function that reads or writes the database, and return its result.

        It runs in the thread that reads, one call after the other, while another commits changes
        of games. **The function may run twice** (see `retry`): if the database
        fails, it runs again on another connection, up to three times, although the first run may
        have been committed. So it has to be safe to repeat: it writes in one transaction, and
        writing twice has the same effect as once. Raises what the function raises last.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reader, retry.retry, function, *args)

    async def write(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function in the writer's thread, between two batches of commits.

        It uses the writer's connection and may run twice, as in `run_in_db_thread`.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, retry.retry, function, *args)

    async def write_housekeeping(self, function: Callable[..., T], *args: Any) -> T:
        """Run a function that writes no rev, such as a heartbeat; it may run twice, as above.

        On SQLite it uses the writer's connection: the commit watcher would take a commit of another
        one for that of another process, and read the revs of all topics. Elsewhere it delays no
        action.
        """
        if connection.vendor == "sqlite":
            return await self.write(function, *args)
        return await self.run_in_db_thread(function, *args)

    async def version_of_others(self) -> int:
        """Return a number that changes when another connection commits (SQLite).

        Commits of the writer's connection do not change it.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, retry.retry, data_version)

    async def find(self, slug: str) -> GameState | None:
        """Return a game from the cache, or else from the database; None if there is none."""
        held = self._games.find(slug)
        if held is not None:
            return held
        return await self._finds.get(slug)

    async def _find_many(self, slugs: Sequence[str]) -> dict[str, GameState | Exception]:
        """Read games from the database and cache them, with one query per table."""
        found = await self.run_in_db_thread(load.fetch_many, slugs)
        return {
            slug: self._games.hold(game) if isinstance(game, GameState) else game
            for slug, game in found.items()
        }

    def count_live_games(self) -> int:
        """Return the number of cached games that have not ended; called by any thread."""
        return sum(not game.ending for game in self._games.values())

    async def renew(self, slug: str) -> GameState | None:
        """Return a game at its current rev in the database."""
        found = (await self.renew_many([slug]))[slug]
        if isinstance(found, BaseException):
            raise found
        return found

    async def renew_many(self, slugs: Sequence[str]) -> dict[str, GameState | BaseException | None]:
        """Return the results of `renew` for many games; an exception is returned as a value."""
        troubles = await self._renewals.renew([slug for slug in slugs if slug in self._games])
        found: dict[str, GameState | BaseException | None] = {}
        found |= self._games.find_many(slugs)
        found |= troubles
        missing = [slug for slug in slugs if slug not in found]
        if not missing:
            return found
        read = await asyncio.gather(*map(self.find, missing), return_exceptions=True)
        return found | dict(zip(missing, read, strict=True))

    async def perform(self, command: Envelope[Any] | ServerCommand) -> Receipt:
        """Decide a command, commit its change, and return the receipt after the commit.

        Raise `Refused`. A refusal rests on a fresh read of the database, never on the cache alone;
        the only exception is a user with too many pending commands in this game.
        """
        if not isinstance(command, Envelope):
            return await self._perform_exclusively(command)
        self._begin_command(command.slug, command.user)
        try:
            await self.wait_until_time_is_fair()
            return await self._perform_exclusively(command)
        finally:
            self._end_command(command.slug, command.user)

    def _begin_command(self, slug: str, user: int | None) -> None:
        """Count a command as pending.

        Raise `Refused` (slow down) for a user with too many in this game: they would delay the
        other role's actions, perhaps until another process lets the flag fall.
        """
        count = self._under_way.get((slug, user), 0)
        if count >= MAX_COMMANDS_PER_USER:
            raise Refused(Reason.SLOW_DOWN)
        self._under_way[slug, user] = count + 1

    def _end_command(self, slug: str, user: int | None) -> None:
        """Count a command as pending no longer."""
        count = self._under_way.pop((slug, user))
        if count > 1:
            self._under_way[slug, user] = count - 1

    async def _perform_exclusively(self, command: Envelope[Any] | ServerCommand) -> Receipt:
        """Perform a command while no other of its game is being decided or committed."""
        await self._locks.enter(command.slug)
        try:
            return await self._perform(command)
        finally:
            self._locks.leave(command.slug)

    def _is_in_use(self, slug: str) -> bool:
        """Return whether a page of this process shows a game, or a command of it is pending."""
        return self._locks.is_held(slug) or self.is_watched(slug)

    async def forget_user(self, user: int) -> None:
        """Drop the cached games of a renamed user, so that they are read again."""
        # An empty call: the reads that began before it have been cached when it returns.
        await self.run_in_db_thread(int)
        for live in [live for live in self._games.values() if live.role_of(user)]:
            await self._locks.enter(live.slug)
            self._games.drop(live.slug)
            self._locks.leave(live.slug)

    async def _perform(self, command: Envelope[Any] | ServerCommand) -> Receipt:
        game = await self.find(command.slug)
        for _ in range(MAX_TRIES):
            if game is None:
                raise Refused(Reason.GONE)
            command = clamp_received_at(game, command)
            try:
                change = decide(game, await self._preload(game, command))
            except Refused:
                fresh = await self.renew(command.slug)
                if fresh is not game:
                    game = fresh
                    continue
                if receipt := await self._recall_receipt(game, command):
                    return receipt
                raise
            verdict = await self._commit(change)
            if verdict is Verdict.WON:
                return self._accept(change)
            if receipt := await self._recall_uncommitted(game, command, verdict):
                return receipt
            game = await self.renew(command.slug)
        raise Refused(Reason.BUSY)

    def _accept(self, change: Change) -> Receipt:
        """Cache the game after a committed change, notify the watchers, and return the receipt."""
        self._games.hold(change.after)
        self._notify(change)
        return receipts.of_change(change)

    async def _recall_uncommitted(
        self, game: GameState, command: Envelope[Any] | ServerCommand, verdict: Verdict
    ) -> Receipt | None:
        """Return the receipt of a change that was not committed because it was before.

        Return None if it has to be decided again. Raise `Refused`.
        """
        if verdict in UNCOMMITTED:
            raise Refused(UNCOMMITTED[verdict])
        return await self._recall_receipt(game, command) if verdict is Verdict.TWICE else None

    def _notify(self, change: Change) -> None:
        """Notify the watchers of a change; their errors are logged and do not undo the commit."""
        live, others = change.after, concerned_topics(change.after)
        for watcher in self.watchers:
            try:
                watcher(live, others)
            except Exception:
                _log_watcher_error(live)
        if live.ending is None or change.before.ending is not None:
            return
        for listener in END_LISTENERS:
            try:
                listener(self, live)
            except Exception:
                _log_watcher_error(live)

    async def _preload(
        self, game: GameState, command: Envelope[Any] | ServerCommand
    ) -> Envelope[Any] | ServerCommand:
        """Return the command with what its decision needs from the database."""
        asked = command.command if isinstance(command, Envelope) else command
        if slow := SLOW_PRELOADERS.get(type(asked)):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._preparer, retry.retry, slow, game, command)
        preload = PRELOADERS.get(type(asked))
        return await self.run_in_db_thread(preload, game, command) if preload else command

    async def _recall_receipt(
        self, game: GameState, command: Envelope[Any] | ServerCommand
    ) -> Receipt | None:
        """Return the first receipt of a repeated id. Raise `Refused` if it was another command."""
        if not isinstance(command, Envelope):
            return None
        role = game.role_of(command.user)
        if role is None:
            return None
        return await self.run_in_db_thread(receipts.recall, game, role, command.command)

    async def _commit(self, change: Change) -> Verdict:
        decided: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self.commits.put(change, partial(self._settle, change, decided))
        return await decided

    def _settle(self, change: Change, decided: asyncio.Future[Verdict], verdict: Verdict) -> None:
        if not decided.done():
            decided.set_result(verdict)
        elif verdict is Verdict.WON:  # the caller is gone; the others still have to see it
            self._accept(change)

    async def close(self) -> None:
        """Wait for pending work, and close the connections of the threads."""
        await self._locks.end()
        await self._finds.wait_until_done()
        await self.holiday_starts.wait_until_done()
        await self.commits.wait_until_done()
        await self._renewals.wait_until_done()
        for thread in (self._writer, self._reader, self._preparer):
            await thread.close()


def _log_watcher_error(game: GameState) -> None:
    """Log the exception of a watcher that is being handled."""
    log.exception("a watcher failed on a change of game %s", shorten_key(game.slug))


async def _no_wait(*args: object) -> None:
    """Return at once."""


def data_version() -> int:
    """Return SQLite's count of commits by connections other than the calling thread's."""
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA data_version").fetchone()[0])
