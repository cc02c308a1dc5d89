"""`python -m tests.bench.site_costs.recovery`: measure the time from SIGKILL to the next action.

Two seats play Amazons over a socket each. A seat whose line is cut comes back after 250 to 750 ms,
again and again, as the site's pages do in their first ten seconds, and sends its action again. The
action is sent at the moment of the kill. `servers`: two processes on PostgreSQL and Redis; the one
that serves both seats is killed, and they come back to that one.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from tests.bench.thinking import slug_of
from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import PageClient
from tests.support.servers.server_pair import Pair
from tests.support.servers.server_process import Server, Visitor, start_game

BOARD = "amazons-10x10"
PROFILES = ("embedded", "servers")
SETTLE_S = (0.5, 1.5)  # of play between two kills, at least and at most
PAUSE_S = 0.05  # between two actions: more games than the limits allow would start without it


class RetryingPage(PageClient):
    """Comes back after 250 to 750 ms, however often it has failed."""

    def _wait(self, failures: int) -> float:
        self._retry_s = None
        return self._random.uniform(0.25, 0.75)


class Match:
    """Games at one server, one after the other, each of two new people: limits count by person."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pages: dict[str, RetryingPage] = {}
        self._random = Random(1)

    async def act(self) -> float:
        """Play an action; return the seconds until it was accepted."""
        white = await self.open_game()
        assert white.state is not None
        role, step = white.state["control"][0], white.state["step"]
        page = self._pages[role]
        state = await page.until(lambda state: state["step"] >= step)
        began = time.monotonic()
        frame = page.compose("act", step=step, actions=random_turn(state, self._random))
        answer = await page.ask(frame)
        assert answer["t"] == "receipt", answer
        took_s = time.monotonic() - began
        await white.until(lambda state: state["step"] > step or state["status"] == "over")
        return took_s

    async def open_game(self) -> RetryingPage:
        """Open a game unless one runs; return white's page. Pages are refused after a kill."""
        white = self._pages.get("white")
        if white is not None and not white.is_over:
            return white
        await self.close()
        people = {"white": Visitor(self._server), "black": Visitor(self._server)}
        slug = slug_of(await start_game(people["white"], people["black"], BOARD, "none"))
        for role, person in people.items():
            page = RetryingPage(
                lambda: [self._server.port],
                self._server.origin,
                slug,
                role,
                person.session.removeprefix("sessionid="),
            )
            page.open()
            await page.until(lambda state: True)
            self._pages[role] = page
        return self._pages["white"]

    async def close(self) -> None:
        """Close the pages of the last game."""
        for page in self._pages.values():
            await page.close()


async def measure(server: Server, kills: int) -> list[float]:
    """Return for each kill the seconds until an action sent at that moment was accepted."""
    match, random, found = Match(server), Random(2), []
    await match.act()
    for _ in range(kills):
        end = time.monotonic() + random.uniform(*SETTLE_S)
        while time.monotonic() < end:
            await match.act()
            await asyncio.sleep(PAUSE_S)
        await match.open_game()
        server.kill_web()
        found.append(await match.act())
    await match.close()
    return found


async def run(profile: str, kills: int) -> list[float]:
    """Start the servers of a profile, measure, and stop them."""
    with tempfile.TemporaryDirectory() as folder:
        if profile == "embedded":
            server = Server(Path(folder))
            await server.start()
            try:
                return await measure(server, kills)
            finally:
                await server.stop()
        async with Pair(Path(folder)) as pair:
            return await measure(pair.one, kills)


def main() -> None:
    """Print the figures of each profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--profile", choices=PROFILES, action="append")
    options = parser.parse_args()
    for profile in options.profile or PROFILES:
        found = sorted(asyncio.run(run(profile, options.kills)))
        p99 = found[min(len(found) - 1, int(0.99 * len(found)))]
        print(
            f"{profile}: {len(found)} web processes killed (children of `serve`); seconds until "
            f"the next action is accepted: p50 {median(found):.2f}, p99 {p99:.2f}, "
            f"most {found[-1]:.2f}"
        )


if __name__ == "__main__":
    main()
