"""One run of a fault: servers, games with clients, leak detection and the verdict."""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from tests.faults.clients.game_setup import FISCHER, NO_CLOCK, Wanted
from tests.faults.clients.random_players import Table, accepted
from tests.faults.laws.evidence import Evidence, Finding
from tests.faults.laws.leak_detection import LeakDetector
from tests.faults.laws.verdict import SKEW, judged
from tests.faults.servers.deployments import DEPLOYMENTS, Deployment
from tests.faults.waiting import until
from tests.support.page_client import PageClient

KEYS = ("pincer", "amazons-8x8", "amazons-10x10", "amazons")
SETTLE = 30.0  # seconds in which everybody has to have everything when the hands rest


@dataclass(frozen=True)
class Scale:
    """Extent of a run: `FULL` proves reliability, `QUICK` is a short run, `CI` is for tests."""

    games: int
    watchers: int
    seconds: float
    blows: int  # number of kills, for ×200 in a fault's description
    races: int  # number of races, for ×1,000
    sockets: int  # number of sockets, for 1,000
    patience: float  # factor of long waits (20 s, 60 s, 120 s)


FULL = Scale(games=50, watchers=20, seconds=15, blows=200, races=1_000, sockets=1_000, patience=1.0)
QUICK = Scale(games=12, watchers=4, seconds=4, blows=4, races=40, sockets=120, patience=0.2)
CI = Scale(games=8, watchers=3, seconds=3, blows=2, races=20, sockets=40, patience=0.1)


@dataclass(frozen=True)
class Figure:
    """Something measured, beside its limit (at most, or at least if `is_floor`)."""

    name: str
    value: float
    limit: float | None = None
    unit: str = ""
    is_floor: bool = False

    @property
    def is_met(self) -> bool:
        """Whether it keeps to its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.is_floor else self.value <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.is_floor else "≤"
        limit = "" if self.limit is None else f" ({sign} {self.limit:g})"
        return f"{self.name} {self.value:.4g}{self.unit}{limit}"


@dataclass
class Laboratory:
    """Servers, games and clients of one run of a fault; use it as `async with`."""

    profile: str
    scale: Scale
    seed: str
    webs: int = 0  # web processes; 0: as many as the profile has
    tables: list[Table] = field(default_factory=list)
    finds: list[Finding] = field(default_factory=list)
    runs: int = 1
    is_stalled: bool = False  # event loops are held on purpose
    past: list[Finding] = field(default_factory=list)  # of tables that have been taken away
    past_accepted: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.leak_detector = LeakDetector(Random(f"leak_detector {self.seed}"))
        kind = DEPLOYMENTS[self.profile]
        self.deployment: Deployment = kind(self.webs) if self.webs else kind()
        self.ports = self.deployment.ports  # ports for clients; a fault may put proxies there
        self._hands: list[asyncio.Task[None]] = []
        self._ears: list[asyncio.Task[None]] = []
        self._later: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Laboratory":
        return self

    async def __aexit__(self, *trouble: object) -> None:
        tasks = [*self._hands, *self._ears, *self._later]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in self.tables))
        await asyncio.shield(self.deployment.down())

    @property
    def pages(self) -> list[PageClient]:
        """All clients."""
        return [page for table in self.tables for page in table.pages]

    def mixture(self, count: int, clock: tuple[str, int, int] = FISCHER) -> list[Wanted]:
        """Games to open: half of them Blotto, the rest of every other rule set."""
        split = ("limit", 600_000, 0) if clock[0] != "none" else NO_CLOCK
        rest = [Wanted(KEYS[n % len(KEYS)], clock) for n in range(count // 2)]
        return [Wanted("blotto", split) for _ in range(count - count // 2)] + rest

    async def seat(
        self,
        wanted: Sequence[Wanted],
        tabs: int = 1,
        watchers: int = 0,
        pace: float = 0.3,
        is_awaited: bool = True,
    ) -> list[Table]:
        """Opens games and the pages of their people; `watchers` are spread over all of them."""
        made = []
        for n, seating in enumerate(await self.deployment.seat(list(wanted))):
            crowd = watchers // len(wanted) + (n < watchers % len(wanted))
            table = Table(
                seating, lambda: self.ports(), self.leak_detector, self.random, tabs, crowd
            )
            table.pace = pace
            table.open()
            made.append(table)
        self.tables += made
        if is_awaited:
            await self.connected(made)
        return made

    async def connected(self, tables: Sequence[Table] | None = None, seconds: float = 60) -> None:
        """Waits until every page has a state."""
        pages = [p for table in tables or self.tables for p in table.pages]
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(page.until(lambda state: True) for page in pages))

    def play(self, tables: Sequence[Table] | None = None) -> None:
        """Lets the hands play."""
        for table in tables or self.tables:
            table.is_paused.set()
            self._hands += [asyncio.ensure_future(hand) for hand in table.hands()]

    async def refill(self, wanted: Sequence[Wanted], pace: float = 0.15) -> None:
        """Opens more games if fewer than half as many are still played.

        The pages of ended games are closed once they have all answers; their logs stay for the
        verdict. Kept open, hundreds of them would come back after each kill.
        """
        if sum(not table.is_over for table in self.tables) < len(wanted) // 2:
            ended = [each for each in self.tables if each.is_over and self._is_quiet(each)]
            await asyncio.gather(*(table.close() for table in ended))
            self.play(await self.seat(wanted, pace=pace))

    def later(self, seconds: float, do: Coroutine[Any, Any, None]) -> None:
        """Awaits something after some seconds, in the background."""

        async def wait() -> None:
            await asyncio.sleep(seconds)
            await do

        self._later.append(asyncio.create_task(wait()))

    async def all_later(self) -> None:
        """Waits for all tasks of `later`."""
        await asyncio.gather(*self._later)

    def listen(self, every: float = 0.2) -> None:
        """Watches HTTP answers to spectators and players, and Redis, for leaks."""
        self._ears.append(asyncio.create_task(self._eavesdrop(every)))
        if self.deployment.redis is not None:
            self._ears.append(asyncio.create_task(self._monitor(self.deployment.redis.port)))

    async def rest(self, seconds: float = SETTLE) -> None:
        """Holds the hands, and waits until everybody has all answers and the newest state."""
        for table in self.tables:
            table.is_paused.clear()
        await until(lambda: all(self._is_quiet(table) for table in self.tables), seconds, 0.1)
        self._surface()

    def _is_quiet(self, table: Table) -> bool:
        revs = {page.rev for page in table.pages}
        return len(revs) == 1 and not any(page.unanswered for page in table.pages)

    async def verdict(self, is_quiet: bool = True) -> list[Finding]:
        """The findings of the checker so far."""
        self._surface()
        for _ in range(4):  # a flag may fall at any moment: then once more
            told = [[page.snapshot() for page in table.pages] for table in self.tables]
            rows = await asyncio.to_thread(self.deployment.rows)
            at = int(time.time() * 1000)
            found = [rows[table.slug] for table in self.tables]
            revs = [each.game["rev"] for each in found]
            if all(
                page.rev == rev for pages, rev in zip(told, revs, strict=True) for page in pages
            ):
                break
            await asyncio.sleep(2.5 if is_quiet else 0)  # a heartbeat
        evidence = [
            Evidence(each, pages, at, self._skew(table), extra={"is_quiet": is_quiet})
            for table, each, pages in zip(self.tables, found, told, strict=True)
        ]
        self.leak_detector.said("a log", self.deployment.output())
        self.finds = await asyncio.to_thread(judged, evidence, self.leak_detector)
        return self.finds

    def _skew(self, table: Table) -> int:
        """The most ms by which entries of a game may differ from the order of receipt."""
        is_alone = len(self.deployment.webs) == 1 and len(table.sessions) == 2
        return 50 if is_alone and not self.is_stalled else SKEW

    def _surface(self) -> None:
        """Raises the error of a hand or an ear, which is a failure of the laboratory itself."""
        for task in [*self._hands, *self._ears]:
            if task.done() and not task.cancelled() and task.exception():
                raise task.exception()  # type: ignore[misc]

    @property
    def acknowledged(self) -> int:
        """The number of actions with a receipt."""
        return len(accepted(self.pages))

    def tracebacks(self) -> int:
        """The number of tracebacks that the servers have written."""
        return self.deployment.output().count("Traceback")

    async def _eavesdrop(self, every: float) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=10) as visitor:
            while True:
                await asyncio.sleep(every)
                tables = [t for t in self.tables if t.key == "blotto"]
                if not tables:
                    continue
                table = self.random.choice(tables)
                role = self.random.choice([None, *table.sessions])
                path = self.random.choice(["", "steps?from=0", "record.json", "ledger.json"])
                headers = {"Cookie": f"sessionid={table.sessions[role]}"} if role else {}
                ports = self.ports()
                url = f"http://127.0.0.1:{self.random.choice(ports)}/g/{table.slug}/{path}"
                with suppress(httpx.HTTPError):
                    answer = await visitor.get(url, headers=headers)
                    self.leak_detector.heard(
                        table.slug, role, path, f"{answer.headers}{answer.text}"
                    )

    async def _monitor(self, port: int) -> None:
        """Reads along on Redis."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
                writer.write(b"MONITOR\r\n")
                while line := await reader.readline():
                    self.leak_detector.said("Redis", line.decode(errors="replace"))
            await asyncio.sleep(0.2)
