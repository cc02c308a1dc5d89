"""The loops of the notices process: derive notices, plan their posts, send them.

Each loop has a database thread of its own, so that a slow mail server or a long round delays no
push. Any number of processes may run at once: leases and claims divide the work between them.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from notices import records
from notices.delivery import planning, push_queue
from notices.delivery.push_queue import Outcome, PushRequest
from notices.derive import round as derive_round
from notices.mail import sender
from notices.push import devices, vapid
from play.domain.clocks import now
from play.runtime import clock_sync
from play.runtime.game_service import GameService
from play.storage.retry import retry
from telemetry.outage_log import note_outage

if TYPE_CHECKING:
    from notices.push.transport import PushTransport

MAX_UNDER_WAY = 128  # pushes
MAX_PER_HOST = 64
ACTIVE_INTERVAL_S = 0.1  # between looks at the queue while pushes are under way
IDLE_INTERVAL_S = 1.0
MAIL_INTERVAL_S = 2.0
EARLY_INTERVAL_S = 60.0
CLEANUP_INTERVAL_S = 3600.0
FAILURE_DELAY_S = 1.0
END_TIMEOUT_S = 3.0  # for pushes that are under way; `serve` kills its children after 5 s
log = logging.getLogger("quiver.notices")
T = TypeVar("T")
Say = Callable[[str], object]
MakeTransport = Callable[[], "PushTransport"]


class Runner:
    """One process: `run` works until `end` is called.

    `make_transport` is called once, in the event loop; tests give one that reaches their own push
    server, and no setting does. With `games`, the process follows the clock of the site.
    """

    def __init__(
        self,
        name: str = "",
        say: Say = log.info,
        make_transport: MakeTransport | None = None,
        games: GameService | None = None,
    ) -> None:
        self.name = name or f"notices-{secrets.token_hex(8)}"
        self._say = say
        self._games = games
        self._make_transport = make_transport
        self._transport: PushTransport | None = None
        self._end = asyncio.Event()
        self._under_way: dict[asyncio.Task[None], PushRequest] = {}
        self._outcomes: list[Outcome] = []
        self._threads: dict[str, ThreadPoolExecutor] = {}

    def end(self) -> None:
        """Make `run` return soon: nothing more is claimed, and running pushes are finished."""
        self._end.set()

    async def run(self) -> None:
        """Work until `end` is called."""
        await self._open_transport()
        loops = [self._repeat(self._plan_once), self._repeat(self._mail_once)]
        loops += [self._repeat(self._plan_early), self._repeat(self._clean_up)]
        if self._transport is not None:
            loops.append(self._repeat(self._push_once))
        if self._games is not None:
            loops.append(self._repeat(partial(self._adjust_clock, self._games)))
        try:
            await asyncio.gather(*loops)
        finally:
            await self._finish_pushes()
            await self._close()

    async def _open_transport(self) -> None:
        """Prepare pushes; without the extra, or without a readable key, push is off."""
        if self._make_transport is not None:
            self._transport = self._make_transport()
        elif not vapid.is_push_on():
            self._say("Push is off: pywebpush is not installed (the extra “push”).")
        else:
            from notices.push.transport import PushTransport

            try:
                key = await self._in_thread("push", vapid.private_key)
            except ImproperlyConfigured as error:
                log.error(
                    "push is off: its key cannot be read", extra={"event": "vapid_unreadable"}
                )
                self._say(str(error))
            else:
                self._transport = PushTransport(key, vapid.contact())

    async def _repeat(self, work: Callable[[], Awaitable[float]]) -> None:
        """Call `work` until the end; it returns the seconds to its next call. Log its errors."""
        while not self._end.is_set():
            try:
                delay_s = await work()
            except Exception as error:
                if not note_outage(error):
                    log.exception("notices failed; trying again", extra={"event": "notices_failed"})
                delay_s = FAILURE_DELAY_S
            await self._wait(self._end, delay_s)

    @staticmethod
    async def _wait(event: asyncio.Event, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return

    async def _in_thread(self, thread: str, function: Callable[..., T], *args: Any) -> T:
        """Run a function in the database thread of this name; it may run twice, see `retry`."""
        if thread not in self._threads:
            self._threads[thread] = ThreadPoolExecutor(1, f"quiver-{thread}")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads[thread], retry, function, *args)

    async def _plan_once(self) -> float:
        """Derive notices if this process holds the lease, then plan posts."""
        delay_s = await self._in_thread("plan", derive_round.run_round, self.name, now())
        planned = await self._in_thread("plan", planning.plan, now(), self._transport is not None)
        if planned == planning.BATCH_NOTICES:
            return 0.0
        return IDLE_INTERVAL_S if delay_s is None else min(delay_s, IDLE_INTERVAL_S)

    async def _plan_early(self) -> float:
        await self._in_thread("plan", planning.plan_early, now(), self._transport is not None)
        return EARLY_INTERVAL_S

    async def _clean_up(self) -> float:
        await self._in_thread("plan", devices.drop_orphans)
        while await self._in_thread("plan", records.delete_old, now()) == records.DELETE_BATCH:
            continue
        return CLEANUP_INTERVAL_S

    async def _mail_once(self) -> float:
        sent = await self._in_thread("mail", sender.send_due, self.name, now())
        return 0.0 if sent else MAIL_INTERVAL_S

    @staticmethod
    async def _adjust_clock(games: GameService) -> float:
        """Follow the clock of the database's machine, by which moments are judged."""
        await clock_sync.adjust_clock(games)
        return clock_sync.SYNC_INTERVAL_S

    async def _push_once(self) -> float:
        """Store the outcomes of ended pushes, claim due ones, and begin to send them."""
        outcomes, self._outcomes = self._outcomes, []
        try:
            if outcomes:
                await self._in_thread("push", push_queue.store, outcomes, now())
        except Exception:
            self._outcomes = outcomes + self._outcomes
            raise
        requests = await self._in_thread("push", push_queue.claim_tests, now())
        by_host = Counter(request.host for request in self._under_way.values())
        busy = [host for host, count in by_host.items() if count >= MAX_PER_HOST]
        room = MAX_UNDER_WAY - len(self._under_way)
        requests += await self._in_thread("push", push_queue.claim, now(), room, busy, MAX_PER_HOST)
        for request in requests:
            task = asyncio.create_task(self._send(request))
            self._under_way[task] = request
            task.add_done_callback(self._note_done)
        if self._under_way or self._outcomes:
            return ACTIVE_INTERVAL_S  # pushes that end meanwhile are stored in one transaction
        next_due = await self._in_thread("push", push_queue.next_due)
        if next_due is None:
            return IDLE_INTERVAL_S
        return min(IDLE_INTERVAL_S, max(0.0, (next_due - now()) / 1000))

    async def _send(self, request: PushRequest) -> None:
        assert self._transport is not None
        answer = await self._transport.post(
            request.endpoint, request.p256dh, request.auth, request.payload, request.headers
        )
        self._outcomes.append(
            Outcome(request, answer.status, answer.retry_after_s, answer.error, answer.is_private)
        )

    def _note_done(self, task: asyncio.Task[None]) -> None:
        request = self._under_way.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a push failed", exc_info=error, extra={"event": "push_failed"})
            self._outcomes.append(Outcome(request, 0, error=type(error).__name__))

    async def _finish_pushes(self) -> None:
        """Wait for running pushes; release the claims of those that take too long."""
        if self._under_way:
            await asyncio.wait(list(self._under_way), timeout=END_TIMEOUT_S)
        left = dict(self._under_way)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if self._outcomes:
            await self._in_thread("push", push_queue.store, self._outcomes, now())
        if left:
            await self._in_thread("push", push_queue.release, list(left.values()), now())

    async def _close(self) -> None:
        if self._transport is not None:
            await self._transport.close()
        await self._in_thread("plan", derive_round.give_back, self.name)
        for thread in self._threads.values():
            thread.submit(connections.close_all)
            # A mail server may be slow to answer: its thread ends with the process.
            thread.shutdown(wait=False)
