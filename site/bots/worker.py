"""One process that thinks for computer players: finds what is due, thinks in a thread, and plays
through the same door as everybody.

The event loop never waits for a thought: meanwhile it answers offers, renews the lease, and ends a
thought whose game has moved on.
"""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from accounts.outage_log import note_outage
from accounts.redaction import shorten_key
from bots import exhibitions, leases, manners, memory, roster, thinker
from bots.agenda import AGAIN, Agenda
from bots.dues import Due, is_same
from bots.replies import Replies
from bots.thinker import Considered
from games.core import Role
from games.players.core import Level
from games.players.levels import ENGINES, has_numba, is_available, level_of, load, warm
from play import act, wire
from play.clocks import now
from play.desk import close_connection, desk
from play.live import Live
from play.refusals import Reason, Refused
from play.tail import Tail
from play.write_probe import watch_outage

BEAT = 1.0  # seconds between two heartbeats
POLL = 0.25  # seconds between two looks, where the database cannot tell that it has changed
WORN = 3  # workers that left a seat one after the other: something about it kills them
COST = 10  # an exhibition rests that many times as long as it has kept the processor busy
log = logging.getLogger("quiver.bots")


def stand_back(nice: int) -> None:
    """Lowers the priority of the calling thread, where that can be done for a thread alone."""
    if nice and sys.platform == "linux":
        os.nice(nice)


class Ending(Exception):
    """The worker ends; what it was about to do is another's."""


class Thinking:
    """The thought that is under way."""

    def __init__(self, due: Due) -> None:
        self.due = due
        self.hurry = float("inf")  # epoch ms at which somebody else's time becomes short
        self._unwanted = threading.Event()

    def drop(self) -> None:
        """Ends the thought; nothing of it is played."""
        self._unwanted.set()

    @property
    def is_dropped(self) -> bool:
        """Whether nobody wants it any more."""
        return self._unwanted.is_set()

    def is_over(self) -> bool:
        """Asked by the engine, in its thread."""
        return self._unwanted.is_set() or now() >= self.hurry


class Worker:
    """What one process knows and does. Only `run` and `end` are called from outside."""

    def __init__(
        self,
        is_exhibiting: bool,
        say: Callable[[str], object] = log.info,
        name: str = "",
        nice: int = 0,  # by how much thoughts stand back behind all else that the machine does
    ) -> None:
        self.name = name or roster.new_name()
        self._is_exhibiting = is_exhibiting
        self._say = say
        self._cold = list(ENGINES)  # rule sets whose players are not ready yet
        self._levels: dict[int, int] = {}  # user to level
        self._replies = Replies(lambda slug: self._agenda.look_anew(slug))
        self._agenda = Agenda(self._replies.give, self._changed)
        self._thinking: Thinking | None = None
        self._is_warm = False  # everything is compiled, or something has been played already
        self._has_looked = False  # at the games, since it has begun
        self._players = thinker.Players()
        self._pool = ThreadPoolExecutor(1, "quiver-thinker", partial(stand_back, nice))
        self._news = asyncio.Event()
        self._end = asyncio.Event()

    def end(self) -> None:
        """Has `run` return soon; a thought that is under way is dropped."""
        self._end.set()
        self._news.set()
        if self._thinking:
            self._thinking.drop()

    async def run(self) -> None:
        """Works until `end` is called; the desk is left open."""
        tail = Tail(self._look, desk().version_of_others, POLL)
        others = [asyncio.create_task(self._keep_beating())]
        if self._is_exhibiting:
            others.append(asyncio.create_task(self._keep_exhibiting()))
        tail.ensure_started()
        try:
            with suppress(Ending):
                await self._work()
        finally:
            await tail.stop()
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await self._replies.stop()
            self._pool.shutdown(wait=False, cancel_futures=True)
            await desk().read(roster.leave, self.name)

    async def _work(self) -> None:
        if not has_numba():
            self._say("numba is not installed: the high levels are off.")
        elif why := await self._in_thread(load):
            self._say(f"numba cannot be loaded ({why}): the high levels are off.")
        while not self._end.is_set():
            try:
                await self._step()
            except Ending:
                raise
            except Exception as error:
                if not note_outage(error):
                    log.exception("something could not be done; it is tried again")
                await self._until_end(AGAIN / 1000)

    async def _step(self) -> None:
        """Does the most urgent thing; waits if there is none."""
        if not self._has_looked:
            await self._look()
        due = self._agenda.next()
        if due:
            await self._go(due)
        elif self._cold:
            key = self._agenda.next_key() or self._cold[0]
            key = key if key in self._cold else self._cold[0]
            await self._in_thread(warm, key)
            self._cold.remove(key)
            if not self._cold:
                self._is_warm = True
                self._say("Computer players are ready.")
                await self._in_thread(thinker.clear_out)
        else:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), self._agenda.seconds())
            self._news.clear()

    async def _look(self) -> None:
        """Finds out what has changed; called after another process has written."""
        listed = await self._agenda.look()
        self._has_looked = True
        if (thinking := self._thinking) and thinking.due.live.slug not in listed:
            thinking.drop()
        self._news.set()

    def _changed(self, live: Live) -> None:
        """Hears of a game that was read."""
        if thinking := self._thinking:
            due = thinking.due
            if due.live.slug == live.slug and not is_same(due.live, live, due.role):
                thinking.drop()
            thinking.hurry = self._agenda.hurry(due.key)

    async def _go(self, due: Due) -> None:
        """Thinks about a go and plays it, unless it is another worker's."""
        live, role = due.live, due.role
        level = await self._level(live, role)
        if level is None:
            self._agenda.put_off(due)
            return
        left = await desk().read(leases.claim, live.id, role, self.name, now())
        if left is None:
            self._agenda.put_off(due, await desk().read(leases.taken_until, live.id, role))
            return
        self._agenda.take(due)
        self._thinking = thinking = Thinking(due)
        try:
            fresh = await desk().renew(live.slug)  # before the seat was claimed it may have played
            if fresh is None or not is_same(live, fresh, role):
                return
            go = await self._thought(thinking, level, is_plain=left >= WORN)
            if thinking.is_dropped:
                self._agenda.put_off(due)  # another has the seat now, and may die as well
            else:
                await self._play(due, level, go)
        except Refused as refused:
            if refused.reason not in (Reason.BUSY, Reason.UNSURE):  # an outage is logged once
                log.info("%s of %s was refused: %s", role, shorten_key(live.slug), refused.reason)
            self._agenda.put_off(due)
            self._agenda.look_anew(live.slug)
        except Exception:
            self._agenda.put_off(due)
            raise
        finally:
            self._thinking = None
            await desk().read(leases.give_back, live.id, role, self.name)

    async def _level(self, live: Live, role: Role) -> Level | None:
        """The level of who sits there; None if this machine does not play it."""
        user = live.people[role].user
        if user not in self._levels:
            self._levels = await desk().read(roster.levels)
        number = self._levels.get(user)
        if number is None or not is_available(live.rules.key, number):
            return None
        return level_of(live.rules.key, number)

    async def _thought(self, thinking: Thinking, level: Level, is_plain: bool) -> list[Considered]:
        due = thinking.due
        thinking.hurry = self._agenda.hurry(due.key)
        if due.is_exhibition:
            level = thinker.shown(level)
        go: list[Considered] = await self._in_thread(
            thinker.think, self._players, due.live, due.role, level, thinking.is_over, is_plain
        )
        if due.is_exhibition:
            self._agenda.rest = now() + COST * sum(each.ms for each in go)
        return go

    async def _play(self, due: Due, level: Level, go: Sequence[Considered]) -> None:
        """Sends what was thought, or ends the game instead. Raises Refused."""
        live, role, value = due.live, due.role, go[-1].thought.value
        before = await desk().read(memory.latest, live, role)
        await desk().read(memory.keep, live, role, level.number, go)
        may_resign = level.resigns and not due.is_exhibition
        end = manners.ending(live, may_resign, value, before)
        id = f"bot-{end or 'act'}-{live.turn}-{live.takebacks}"
        message: wire.GameMessage
        if end == "resign":
            message = wire.Resign(id)
        elif end == "claim":
            message = wire.Claim(id)
        else:
            actions = tuple(str(each.thought.action) for each in go)
            message = wire.Act(id, live.turn, actions, live.takebacks)
        await act.perform(live.slug, live.people[role].user, message, now())
        self._is_warm = True

    async def _in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """What a function returns that takes its time. Raises Ending if the worker ends before."""
        done = asyncio.get_running_loop().run_in_executor(self._pool, function, *args)
        end = asyncio.create_task(self._end.wait())
        await asyncio.wait({done, end}, return_when=asyncio.FIRST_COMPLETED)
        end.cancel()
        if self._end.is_set():
            raise Ending
        return done.result()

    async def _until_end(self, seconds: float) -> None:
        """Waits, but not beyond the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), seconds)

    async def _keep_beating(self) -> None:
        """Says every second that this process is alive, and that it still thinks."""
        while True:
            try:
                await self._beat()
                await watch_outage()
            except Exception as error:
                if not note_outage(error):
                    log.exception("the heartbeat could not be written; it is tried again")
                with suppress(Exception):  # it is broken: a new one is made at the next use
                    await desk().read(close_connection)
            await asyncio.sleep(BEAT)

    async def _beat(self) -> None:
        is_eldest = await desk().read(roster.beat, self.name, self._is_warm, has_numba(), now())
        if is_eldest != self._agenda.is_eldest:
            self._agenda.is_eldest = is_eldest
            self._agenda.look_anew()
        if thinking := self._thinking:
            due = thinking.due
            if not await desk().read(leases.renew, due.live.id, due.role, self.name, now()):
                thinking.drop()

    async def _keep_exhibiting(self) -> None:
        """Keeps a game to watch going, if this worker is the one who does that."""
        while True:
            await asyncio.sleep(exhibitions.EVERY)
            if self._agenda.is_eldest and not self._cold:
                try:
                    await desk().read(exhibitions.keep_going, now())
                except Exception as error:
                    if not note_outage(error):
                        log.exception("no exhibition could be opened; it is tried again")
