"""Random games on a real server, with faults on every connection by a seeded plan.

A table is one game: two seats with two tabs each, and a spectator. A hand chooses from the prompt
that the server gave it, and each turn of it meets one of `TROUBLES`.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import QUICK, PageClient, State, page_of
from tests.support.servers.server_process import Server, Visitor, start_game

Frame = dict[str, Any]
ROLES = ("white", "black")
HOUR = 3_600
PACE = 45  # frames that have to be sent at all tables between two rounds of Blotto
MAX_SKIPPED_FRAMES = 50  # frames for which a planned_end waits for its rule set
# Actions that are illegal in any position. The ids of frames that may be illegal, by intent or
# because a tab lags behind the other, begin with `x`.
NONSENSE = {
    "path": ["noop", "move 1 1 1 1", "play 1 1 1 1 1 1", "move 0 1 1 1", "fire 99 1", "dance"],
    "split": ["noop", "troops 5 5 5", "troops 11 0 0", "troops 10 0", "troops -1 5 6", "dance"],
}


@dataclass(frozen=True)
class PlannedEnd:
    """An end of the server: after so many frames in all, at the next action of a rule set (or of
    any, if that is long in coming).

    `kill` is SIGKILL, `stop` SIGTERM; a server that stumbles is killed, and its successor as well
    as soon as it answers.
    """

    frames: int
    key: str
    kind: Literal["kill", "stop", "stumble"] = "kill"


class ServerEnder:
    """Ends the server just after certain frames, and starts it again an hour later."""

    def __init__(self, server: Server, random: Random, plan: Iterable[PlannedEnd]) -> None:
        self.server = server
        self.ends = Counter[str]()  # by kind of planned_end
        self.sent = 0
        self.longest = 0.0  # seconds from the end of a server until another answered
        self._starts = 0
        self._random = random
        self._plan = deque(plan)
        self._awaited: list[tuple[int, asyncio.Event]] = []
        self._work: asyncio.Task[None] | None = None

    def saw(self, key: str, frame: Frame) -> None:
        """Counts a frame that has just been sent."""
        self.sent += 1
        for frames, reached in self._awaited:
            if self.sent >= frames:
                reached.set()
        is_calm = self._work is None or self._work.done()
        if is_calm and self._plan and frame["t"] == "act":
            planned_end = self._plan[0]
            if self.sent >= planned_end.frames + (
                0 if key == planned_end.key else MAX_SKIPPED_FRAMES
            ):
                self._work = asyncio.create_task(self._strike(self._plan.popleft()))

    async def _strike(self, planned_end: PlannedEnd) -> None:
        await asyncio.sleep(self._random.choice([0, self._random.uniform(0, 0.02)]))
        began = asyncio.get_running_loop().time()
        if planned_end.kind == "stop":
            assert await self.server.stop() == 0
        self.server.kill()
        await self._start()
        if planned_end.kind == "stumble":
            self.server.kill()
            await self._start()
        self.ends[planned_end.kind] += 1
        self.longest = max(self.longest, asyncio.get_running_loop().time() - began)

    async def _start(self) -> None:
        self._starts += 1
        await self.server.start(ahead=self._starts * HOUR)

    async def until(self, frames: int) -> None:
        """Waits until so many frames have been sent at all tables."""
        self._awaited.append((frames, reached := asyncio.Event()))
        await reached.wait()

    async def rest(self) -> None:
        """Waits until the server is up again; raises what kept it from starting."""
        if self._work:
            await self._work


class Table:
    """One game. `ending` says how it is to end, `finale` from which turn on if that is a choice."""

    def __init__(
        self, key: str, clock: str = "none", ending: str = "rules", finale: int | None = None
    ) -> None:
        self.key, self.clock, self.ending, self.finale = key, clock, ending, finale
        self.slug = ""
        self.visitors: dict[str, Visitor] = {}
        self.pages: list[PageClient] = []
        self.seats: dict[str, Seat] = {}

    def is_ending(self, state: State) -> bool:
        """Whether it is time for a game of this table to be brought to its end."""
        if self.ending == "counted":
            return "count" in state["may"]
        return self.finale is not None and state["step"] >= self.finale

    @property
    def spectator(self) -> PageClient:
        """The page of someone who only watches."""
        return self.pages[-1]

    async def set_up(self, server: Server) -> None:
        """Starts the game of two guests over HTTP and makes all its pages."""
        self.visitors = {role: Visitor(server) for role in ROLES}
        host, guest = self.visitors.values()
        address = await start_game(host, guest, self.key, self.clock)
        self.slug = address.split("/")[2]
        for role in ROLES:
            for tab in ("one", "two"):
                name = f"{self.key} {role} {tab}"
                self.pages.append(
                    page_of(server, self.slug, name, role, self.visitors[role].session)
                )
        self.pages.append(page_of(server, self.slug, f"{self.key} spectator", None))

    def begin(self, server_ender: ServerEnder, random: Random) -> list[Awaitable[None]]:
        """The hands at this table, to be awaited together."""
        round_by_round = Rounds(server_ender) if self.key == "blotto" else None
        for page in self.pages:
            page.on_sent = lambda frame: server_ender.saw(self.key, frame)
            page.asks_for_flag = True
            page.open()
        for role in ROLES:
            tabs = [page for page in self.pages if page.role == role]
            self.seats[role] = Seat(self, role, tabs, Random(random.random()), round_by_round)
        return [seat.play() for seat in self.seats.values()]

    async def settle(self) -> None:
        """Waits until every page has heard of the end, a few heartbeats at most; then they go."""
        waiting = [page.until(lambda state: state["status"] == "over") for page in self.pages]
        with suppress(TimeoutError):
            async with asyncio.timeout(20 * QUICK.beat_s):
                await asyncio.gather(*waiting)
        await asyncio.gather(*(page.close() for page in self.pages))


class Rounds:
    """Holds the seats of a game of Blotto back, so that it lasts, and lets them seal together."""

    def __init__(self, server_ender: ServerEnder) -> None:
        self._nemesis = server_ender
        self._together = asyncio.Barrier(2)

    async def begin(self, number: int) -> None:
        """Waits until both seats have come to a round and the other tables are far enough."""
        await self._together.wait()
        await self._nemesis.until(number * PACE)
        await self._together.wait()


class Seat:
    """A role at a table: a hand, and two tabs that it uses as it comes."""

    def __init__(
        self, table: Table, role: str, tabs: list[PageClient], random: Random, rounds: Rounds | None
    ) -> None:
        self.table, self.role, self.tabs, self.random = table, role, tabs, random
        self.echoes: list[Frame] = []  # frames to be sent once more when the step is another
        self._rounds = rounds
        self._begun = -1  # the last round of Blotto that was begun

    async def play(self) -> None:
        """Acts until the game is over."""
        while True:
            tab = self.random.choice(self.tabs)
            state = await tab.until(self.has_to_do)
            await tab.send(*self.echoes)
            self.echoes.clear()
            if self.random.random() < 0.1:
                self.table.spectator.cut()
            if state["status"] == "over":
                return
            if self.offered(state):
                await self.answer(tab, state)
                continue
            if self._rounds and state["step"] > self._begun:
                await self._rounds.begin(state["step"])
                self._begun = state["step"]
                await asyncio.sleep(self.random.choice([0, 0, 0.05]))  # seal together, or not quite
            if self.table.is_ending(state):
                await FINALES[self.table.ending](self, tab, state)
            else:
                trouble = self.random.choice(TROUBLES)
                await trouble(self, tab, self.turn(tab, state))
            await asyncio.sleep(0)

    def has_to_do(self, state: State) -> bool:
        """Whether something waits for this seat."""
        return bool(state["prompt"] or state["status"] == "over" or self.offered(state))

    def offered(self, state: State) -> list[str]:
        """The offers that this seat answers; draws only if the game is to end by agreement."""
        answers = {"takeback": True, "draw": self.table.ending == "agreed"}
        return [
            what
            for what, offer in state["offers"].items()
            if offer and offer["by"] != self.role and answers[what]
        ]

    async def answer(self, tab: PageClient, state: State) -> None:
        """Answers what is offered, and perhaps loses the line with it."""
        what = self.offered(state)[0]
        is_welcome = self.table.is_ending(state) if what == "draw" else self.random.random() < 0.8
        do, rev = "accept" if is_welcome else "decline", state["offers"][what]["rev"]
        frame = tab.compose(what, do=do, rev=rev)
        await (cut_after if self.random.random() < 0.5 else twice)(self, tab, frame)

    def turn(self, tab: PageClient, state: State) -> Frame:
        """The frame of a random turn."""
        return self.act(tab, state, random_turn(state, self.random))

    def act(self, tab: PageClient, state: State, actions: list[str], prefix: str = "f") -> Frame:
        """The frame of actions for the step that a state is at."""
        step, takebacks = state["step"], state["takebacks"]
        return tab.compose("act", prefix=prefix, step=step, takebacks=takebacks, actions=actions)

    def other(self, tab: PageClient) -> PageClient:
        """The seat's other tab."""
        return self.tabs[1 - self.tabs.index(tab)]


async def smoothly(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """Nothing happens."""
    await tab.ask(frame)


async def twice(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The frame is doubled on its way."""
    answer = tab.expect(frame)
    await tab.send(frame, frame)
    await answer


async def with_an_echo(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The frame comes again after the other role has acted, perhaps from the other tab."""
    answer = await tab.ask(frame)
    if answer["t"] == "receipt":
        seat.echoes.append(frame)


async def swapped(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """Two neighbours change places: the halves of a turn, or a turn and a draw offer."""
    first, *rest = frame["actions"]
    head = {**frame, "actions": [first]}
    if rest:
        later = {**frame, "step": frame["step"] + 1}
        tail = seat.act(tab, later, rest, prefix="x")
    else:
        tail = tab.compose("draw", do="offer")
    answers = [tab.expect(head), tab.expect(tail)]
    await tab.send(tail, head)
    await asyncio.gather(*answers)


async def cut_before(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The line drops before anything was sent."""
    tab.cut()
    await tab.ask(frame)


async def cut_after(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The line drops as soon as the frame is on its way, or a moment later."""
    answer = tab.expect(frame)
    await tab.send(frame)
    if seat.random.random() < 0.7:
        await asyncio.sleep(seat.random.uniform(0, 0.03))
    tab.cut()
    await answer


async def rivals(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """Both tabs act at the same instant, and differently."""
    state, other = await tab.until(lambda state: True), seat.other(tab)
    if not state["prompt"]:
        await tab.ask(frame)
        return
    await asyncio.gather(tab.ask(frame), other.ask(seat.turn(other, state)))


async def second_thoughts(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The other tab acts for the same step once more, when the first has its answer."""
    await tab.ask(frame)
    other = seat.other(tab)
    await other.ask(seat.act(other, frame, frame["actions"]))


async def after_nonsense(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """Something that is never allowed comes first; the line may drop meanwhile."""
    kind = "split" if seat.table.key == "blotto" else "path"
    text = seat.random.choice(NONSENSE[kind])
    nonsense = seat.act(tab, frame, [text], prefix="x")
    answer = tab.expect(nonsense)
    await tab.send(nonsense)
    if seat.random.random() < 0.3:
        tab.cut()
    await answer
    await tab.ask(frame)


async def regret(seat: Seat, tab: PageClient, frame: Frame) -> None:
    """The latest turn is asked back instead of this one; or this one, while the other may act."""
    state = await tab.until(lambda state: True)
    if "takeback" not in state["may"] or seat.random.random() < 0.25:
        await tab.ask(frame)
        tab = seat.other(tab)
        await tab.ask(tab.compose("takeback", do="offer"))
    else:
        await cut_after(seat, tab, tab.compose("takeback", do="offer"))
        await tab.until(lambda state: not stands(state, "takeback", seat.role))


def stands(state: State, what: str, role: str) -> bool:
    """Whether an offer of this role waits for an answer."""
    offer = state["offers"][what]
    return state["status"] == "live" and offer is not None and offer["by"] == role


TROUBLES: list[Callable[[Seat, PageClient, Frame], Awaitable[None]]] = [
    smoothly,
    smoothly,
    twice,
    with_an_echo,
    swapped,
    cut_before,
    cut_after,
    rivals,
    second_thoughts,
    after_nonsense,
    regret,
    regret,
]


async def resign_against_a_seal(seat: Seat, tab: PageClient, state: State) -> None:
    """White seals and loses the line; black resigns instead; white hears what became of it."""
    if seat.role == "black":
        await tab.until(lambda state: state["sealed"] or state["status"] == "over")
        await tab.ask(tab.compose("resign"))
        return
    frame = seat.turn(tab, state)
    answer = tab.expect(frame)
    await tab.send(frame)
    tab.cut()
    await answer
    await tab.until(lambda state: state["status"] == "over")
    await tab.ask(frame)


async def agree(seat: Seat, tab: PageClient, state: State) -> None:
    """The role to act offers a draw and waits; the other role accepts; every line is cut."""
    if state["offers"]["draw"] is None:
        await cut_after(seat, tab, tab.compose("draw", do="offer"))
    await tab.until(lambda state: not stands(state, "draw", seat.role))


async def count(seat: Seat, tab: PageClient, state: State) -> None:
    """The sides are parted, so own squares are counted."""
    await cut_after(seat, tab, tab.compose("count"))


FINALES: dict[str, Callable[[Seat, PageClient, State], Awaitable[None]]] = {
    "resigned": resign_against_a_seal,
    "agreed": agree,
    "counted": count,
}
