"""One game of the laboratory: its people, their pages, and random play."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

from tests.faults.clients.game_setup import ORIGIN, Seating
from tests.faults.clients.random_turns import random_turn
from tests.faults.laws.leak_detection import LeakDetector
from tests.support.page_client import Frame, PageClient, State

ROLES = ("white", "black")
Way = Callable[["Seat", PageClient, Frame], Awaitable[None]]


async def plainly(seat: "Seat", tab: PageClient, frame: Frame) -> None:
    """Sends a turn and waits for the answer."""
    await tab.ask(frame)


class Table:
    """One game with its pages. `way` is how a turn is sent, `pace` the mean seconds before one."""

    def __init__(
        self,
        seating: Seating,
        ports: Callable[[], list[int]],
        leak_detector: LeakDetector,
        random: Random,
        tabs: int = 1,
        watchers: int = 0,
    ) -> None:
        self.key, self.slug, self.sessions = seating.key, seating.slug, seating.sessions
        self.clock, self.others = seating.clock, seating.others
        self.leak_detector, self.random = leak_detector, random
        self.pace = 0.3
        self.way: Way = plainly
        self.is_paused = asyncio.Event()
        self.is_paused.set()  # set: the hands may play
        self.seats: dict[str, Seat] = {}
        self.pages: list[PageClient] = []
        for role, session in self.sessions.items():
            pages = [self._client(ports, role, session, f"tab {n}") for n in range(tabs)]
            self.seats[role] = Seat(self, role, pages)
            self.pages += pages
        for n in range(watchers):
            self.pages.append(self._client(ports, None, "", f"number {n}"))

    def _client(
        self, ports: Callable[[], list[int]], role: str | None, session: str, seed: str
    ) -> PageClient:
        listen = partial(self.leak_detector.heard, self.slug, role, "socket")
        return PageClient(ports, ORIGIN, self.slug, role, session, seed, listen)

    def watch(self, ports: Callable[[], list[int]], seed: str) -> PageClient:
        """The page of one more spectator, which belongs to whoever asks."""
        return self._client(ports, None, "", seed)

    def open(self) -> None:
        """Opens its pages."""
        for page in self.pages:
            page.open()

    async def close(self) -> None:
        """Closes them."""
        await asyncio.gather(*(page.close() for page in self.pages))

    def hands(self) -> list[Awaitable[None]]:
        """The hands of its seats, to be awaited together."""
        return [seat.play() for seat in self.seats.values()]

    @property
    def is_over(self) -> bool:
        """Whether a page has seen the end."""
        return any(page.is_over for page in self.pages)


class Seat:
    """A role at a table: a hand, and the tabs that it uses as it comes."""

    def __init__(self, table: Table, role: str, tabs: list[PageClient]) -> None:
        self.table, self.role, self.tabs = table, role, tabs
        self.sealed = -1  # the last round for which this hand has sent troops
        self.action = ""  # those troops

    async def play(self) -> None:
        """Acts until the game is over."""
        table = self.table
        while True:
            tab = table.random.choice(self.tabs)
            state = await tab.until(lambda state: state["prompt"] or state["status"] == "over")
            if state["status"] == "over":
                return
            await asyncio.sleep(table.random.uniform(0, 2 * table.pace))
            await table.is_paused.wait()
            if tab.state is state:
                await table.way(self, tab, self.turn(tab, state))

    def turn(self, tab: PageClient, state: State) -> Frame:
        """The frame of a turn by chance for the step that a state is at."""
        prompt, table = state["prompt"], self.table
        if prompt["kind"] == "split":
            if self.sealed < state["step"]:  # else its page has not heard of that yet
                self.action = table.leak_detector.draw(table.slug)
                other = next((s for s in table.seats.values() if s is not self), None)
                is_last = other is None or other.sealed >= state["step"]
                detector = table.leak_detector
                detector.sealing(table.slug, state["step"], self.role, self.action, is_last)
                self.sealed = state["step"]
            actions = [self.action]
        else:
            actions = random_turn(state, table.random)
        step, takebacks = state["step"], state["takebacks"]
        return tab.compose("act", step=step, takebacks=takebacks, actions=actions)

    @property
    def other_tab(self) -> PageClient:
        """The second of its tabs."""
        return self.tabs[-1]


def latencies(pages: list[PageClient], since: int = 0, until: int | None = None) -> list[float]:
    """Seconds from sending a frame first to its receipt, of those sent in a span (monotonic ns)."""
    end = time.monotonic_ns() if until is None else until
    found: list[float] = []
    for page in pages:
        sent: dict[str, int] = {}
        for event in page.log:
            if event["e"] == "sent":
                sent.setdefault(event["id"], event["ns"])
            elif event["e"] == "receipt" and event["id"] in sent:
                began = sent.pop(event["id"])
                if since <= began <= end:
                    found.append((event["ns"] - began) / 1e9)
    return found


def share(numbers: list[float], of: float) -> float:
    """A percentile, 0.99 for the 99th; 0 of nothing."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(of * len(ordered)))] if ordered else 0.0


def accepted(pages: list[PageClient]) -> set[tuple[str, str | None, str]]:
    """The acknowledged actions: game, role, id."""
    return {
        (page.slug, page.role, event["id"])
        for page in pages
        for event in page.log
        if event["e"] == "receipt"
    }


Events = list[dict[str, Any]]
