"""`python -m tests.bench.matchmaking.ghosts`: count games against people who have left (ghosts).

In each round somebody searches, and then closes the page, loses the line without a word, or has
their process stopped; shortly after, a stranger searches for the same. A game that opens then is a
ghost. Rounds without a fault show that a game opens where both are there. Hosts of lobbies are not
asked: their games are aborted if they have left.
"""

import argparse
import asyncio
import itertools
import json
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import websockets

from tests.faults.servers.tcp_proxy import Proxy
from tests.support.servers import prepared_site
from tests.support.servers.server_process import Server, Visitor

CHOICES = [
    (game, pace)
    for game in ("amazons-10x10", "amazons-8x8", "amazons", "blotto", "pincer")
    for pace in range(3)
]  # one for each round that runs at the same time
SETTLE_S = 1.5  # from a search to the fault
DELAYS_S = (0.05, 0.5, 2.0)  # from the fault to the stranger's search, in turns
WATCH_S = 9.0  # from there to the verdict: a question of 3 s, and what a busy machine adds
PING_INTERVAL_S = 4.0  # a page that searches probes its connection
OPEN_TIMEOUT_S = 60.0  # fifteen processes start at once


@dataclass
class SearchPage:
    """A page that searches: it follows the topic, sends heartbeats and answers at once."""

    port: int
    origin: str
    cookie: str
    states: list[tuple[float, str]] = field(default_factory=list)
    line: Any = None
    task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, and live until `close`."""
        self.line = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/ws/",
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie},
            ping_interval=None,
            open_timeout=OPEN_TIMEOUT_S,
            close_timeout=0.2,
            proxy=None,
        )
        await self.say(t="subscribe", rev=-1)
        self.task = asyncio.create_task(self._live())

    async def say(self, **message: object) -> None:
        """Send a message about the search."""
        await self.line.send(json.dumps({**message, "topic": "search"}))

    async def close(self) -> None:
        """Close the page as a browser does."""
        if self.task:
            self.task.cancel()
        await self.line.close()

    async def _live(self) -> None:
        beat = asyncio.create_task(self._beat())
        try:
            async for text in self.line:
                frame = json.loads(text)
                if frame["t"] != "search":
                    continue
                self.states.append((time.monotonic(), frame["state"]))
                if frame["state"] == "asked" and not frame["answered"]:
                    await self.say(t="answer", pairing=frame["pairing"], yes=True, tab="tab")
        finally:
            beat.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(PING_INTERVAL_S)
            await self.line.send(json.dumps({"t": "ping", "revs": {}}))


async def live_alone(port: str, origin: str, cookie: str) -> None:
    """Be a page in a process of its own, which can be stopped."""
    page = SearchPage(int(port), origin, cookie)
    await page.open()
    print("open", flush=True)
    await asyncio.Event().wait()


@dataclass(frozen=True)
class Leaver:
    """Somebody who searches; the page is in a process of its own where `process`."""

    page: SearchPage
    proxy: Proxy
    process: asyncio.subprocess.Process | None

    async def close(self) -> None:
        """Close the page as a browser does."""
        await self.page.close()

    async def lose_line(self) -> None:
        """Let everything on the line vanish; nothing is closed."""
        self.proxy.swallows |= {"up", "down"}

    async def stop_process(self) -> None:
        """Stop the process as a phone does that falls asleep."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    async def stay(self) -> None:
        """Change nothing."""

    async def leave(self) -> None:
        """End what is left of the round."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        elif self.page.line is not None:
            await self.page.close()
        await self.proxy.close()


FAULTS: dict[str, Callable[[Leaver], Awaitable[None]]] = {
    "closes the page": Leaver.close,
    "loses the line": Leaver.lose_line,
    "process stopped": Leaver.stop_process,
    "stays (control)": Leaver.stay,
}


async def make_searcher(server: Server, number: int, is_alone: bool) -> Leaver:
    """Let somebody search."""
    game, pace = CHOICES[number % len(CHOICES)]
    visitor = Visitor(server)
    await visitor.post("/play/online/", game=game, pace=str(pace))
    proxy = Proxy(server.port)
    await proxy.open()
    page = SearchPage(proxy.port, server.origin, visitor.session)
    if not is_alone:
        await page.open()
        return Leaver(page, proxy, None)
    arguments = [str(proxy.port), server.origin, visitor.session]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench.matchmaking.ghosts",
        "--page",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline(), "the process of a page has ended"
    return Leaver(page, proxy, process)


async def play_round(server: Server, fault: str, number: int) -> tuple[bool, list[float]]:
    """Play one round: whether a game opened, and for how long the stranger was kept asking (s)."""
    game, pace = CHOICES[number % len(CHOICES)]
    leaver = await make_searcher(server, number, is_alone=fault == "process stopped")
    await asyncio.sleep(SETTLE_S)
    await FAULTS[fault](leaver)
    await asyncio.sleep(DELAYS_S[number % len(DELAYS_S)])
    visitor = Visitor(server)
    await visitor.post("/play/online/", game=game, pace=str(pace))
    stranger = SearchPage(server.port, server.origin, visitor.session)
    await stranger.open()
    await asyncio.sleep(WATCH_S)
    states = stranger.states
    asked = [then - at for (at, state), (then, _) in itertools.pairwise(states) if state == "asked"]
    await stranger.close()
    await leaver.leave()
    return any(state == "paired" for _, state in states), asked


async def measure(rounds: int, faults: Sequence[str]) -> int:
    """Print games and ghosts of some faults; return how many ghosts there were."""
    prepared_site.begin_run()
    ghosts = 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        await server.start()
        try:
            for fault in faults:
                results = []
                for first in range(0, rounds, len(CHOICES)):
                    batch = range(first, min(rounds, first + len(CHOICES)))
                    results += await asyncio.gather(
                        *(play_round(server, fault, number) for number in batch)
                    )
                games = sum(opened for opened, _ in results)
                waits = [wait for _, asked in results for wait in asked]
                longest = f"{median(waits):.1f} / {max(waits):.1f} s" if waits else "never"
                print(f"{fault:18} {rounds} rounds, {games} games; asked for {longest}", flush=True)
                ghosts += games if fault != "stays (control)" else 0
                if fault == "stays (control)" and games < rounds:
                    print(f"only {games} of {rounds} games opened although both were there")
        finally:
            await server.stop()
            prepared_site.end_run()
    print(f"{ghosts} ghosts")
    return ghosts


def main() -> None:
    """Run the rounds, or be the page of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="of each fault")
    parser.add_argument("--faults", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--page", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.page:
        asyncio.run(live_alone(*given.page))
    else:
        sys.exit(1 if asyncio.run(measure(given.rounds, given.faults)) else 0)


if __name__ == "__main__":
    main()
