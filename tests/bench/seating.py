"""Open games on our own site with logged-in accounts, lobbies and seats.

Two people play up to forty games with each other, which the site's limits allow.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import httpx

from tests.bench.scripts import KEY

PASSWORD = "a long word for benchmarks"
BY_HOST = 20  # lobbies that a user may open within ten minutes
AT_ONCE = 8  # pairs that arrive together
TRIES, PAUSE = (
    12,
    7.0,
)  # seconds: so many come from this one address that the site's limits stop some
# Lobbies of one host differ by the increments of their clocks. A live game is aborted if its first
# turn takes too long, a slow one is not.
LIVE, SLOW = "fischer:7200:{}", "bank:14:{}"
names = count()


class Place(NamedTuple):
    """The origins (web processes of one site) that the sockets of a game's two seats are at."""

    white: str
    black: str


@dataclass(frozen=True)
class Seat:
    """A player's connection to a game."""

    url: str  # of the socket
    origin: str
    cookie: str


@dataclass(frozen=True)
class Table:
    """A game that was just started, by role."""

    seats: dict[str, Seat]
    watch: Seat  # for spectators, who have no cookie

    def plain(self) -> dict[str, Any]:
        """The table as data for the load generator."""
        seats = {role: vars(seat) for role, seat in self.seats.items()}
        return {"seats": seats, "watch": vars(self.watch)}


class Person:
    """Somebody with an account and the cookies of a browser."""

    def __init__(self, origin: str) -> None:
        self.name = f"b{secrets.token_hex(5)}-{next(names)}"
        self.client = httpx.AsyncClient(base_url=origin, trust_env=False, timeout=60)

    async def arrive(self) -> None:
        """Signs up, and logs in anew as one does on the next day."""
        await self._form("/sign-up/", username=self.name, password1=PASSWORD, password2=PASSWORD)
        await self.post("/log-out/")
        await self._form("/log-in/", login=self.name, password=PASSWORD)
        assert "sessionid" in self.client.cookies, f"{self.name} could not log in"

    async def _form(self, path: str, **fields: str) -> None:
        await self.client.get(path)
        await self.post(path, **fields)

    async def post(self, path: str, **fields: str) -> str:
        """Sends a form as the site's pages do, again after a pause if the rate limit refuses it;
        returns the address of the redirect."""
        for _ in range(TRIES):
            token = {"X-CSRFToken": self.client.cookies["csrftoken"]}
            answer = await self.client.post(path, data=fields, headers=token)
            if "too often" not in answer.text:
                break
            await asyncio.sleep(PAUSE)
        assert answer.status_code == 302, (path, answer.status_code, _words(answer.text))
        return answer.headers["Location"]

    @property
    def cookie(self) -> str:
        """The session cookie for the handshake of a socket."""
        return f"sessionid={self.client.cookies['sessionid']}"


async def seat(places: Sequence[Place], clock: str = LIVE) -> list[Table]:
    """Open a game for each place; players use the pages of the first place's process."""
    size = 2 * BY_HOST
    shares = [places[begun : begun + size] for begun in range(0, len(places), size)]
    gate = asyncio.Semaphore(AT_ONCE)

    async def pair(share: Sequence[Place]) -> list[Table]:
        async with gate:
            return await _pair(places[0].white, share, clock)

    tables = await asyncio.gather(*map(pair, shares))
    return [table for each in tables for table in each]


async def _pair(origin: str, places: Sequence[Place], clock: str) -> list[Table]:
    people = [Person(origin), Person(origin)]
    await asyncio.gather(*(person.arrive() for person in people))
    tables = []
    for number, place in enumerate(places):
        host, guest = people if number < BY_HOST else people[::-1]
        terms = clock.format(number % BY_HOST + 1)
        tables.append(await _open(host, guest, terms, place))
    await asyncio.gather(*(person.client.aclose() for person in people))
    return tables


async def _open(host: Person, guest: Person, clock: str, place: Place) -> Table:
    """A game in which the host has white. Each lobby of a host has another clock: equal lobbies
    within ten seconds are one."""
    lobby = await host.post("/lobbies/", game=KEY, side="white", visibility="link", clock=clock)
    path = await guest.post(f"{lobby}sit/")
    found = re.fullmatch(r"/g/([^/]+)/", path)
    assert found, f"the game has not started: {path}"

    def at(origin: str, cookie: str) -> Seat:
        return Seat(f"{origin.replace('http', 'ws', 1)}/ws/g/{found[1]}/", origin, cookie)

    white, black = at(place.white, host.cookie), at(place.black, guest.cookie)
    return Table({"white": white, "black": black}, at(place.white, ""))


def _words(page: str) -> str:
    """The text of a page, for an error message."""
    return re.sub(r"\s+", " ", re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page))[:600]
