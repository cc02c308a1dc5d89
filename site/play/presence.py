"""Who is there: the pages of this process, and what other processes have written down.

A process that has a page of a seat open writes that down every ten seconds, and once more when the
last of them closes.
"""

import asyncio
import logging
from collections import Counter
from functools import partial

from accounts.outage_log import note_outage
from games.core import OTHER, Role
from play import clocks, endings, seen
from play.desk import desk
from play.hub import hub
from play.live import Live
from play.perloop import per_loop
from play.seen import Key

EVERY = 10.0  # seconds between two notes
ROLES: tuple[Role, ...] = ("white", "black")
log = logging.getLogger("quiver.play")


class Presence:
    """What one event loop knows of who is there."""

    def __init__(self) -> None:
        self._seen: dict[int, dict[Role, int]] = {}  # by game, as the database had it last
        self._left: dict[Key, int] = {}  # when this process wrote down that its last page closed
        self._come: set[Key] = set()  # to be written down
        self._gone: set[Key] = set()  # the same, of seats whose last page here has closed
        self._asked: dict[int, str] = {}  # games whose seats are to be read, with their slugs
        self._task: asyncio.Task[None] | None = None

    def came(self, live: Live, audience: str) -> None:
        """Hears that a page of an audience was opened here."""
        for role in ROLES:
            if role == audience:
                self._come.add((live.id, role))
                self._gone.discard((live.id, role))
        if audience in ROLES or live.id not in self._seen:
            self._ask(live)

    def left(self, live: Live, audience: str) -> None:
        """Hears that the last page of an audience was closed here."""
        for role in ROLES:
            if role == audience:
                self._come.discard((live.id, role))
                self._gone.add((live.id, role))
                asyncio.get_running_loop().call_later(
                    (seen.FRESH + 100) / 1000, partial(hub().tell, ("game", live.slug))
                )
                self._ask(live)

    def people(self, live: Live, audiences: Counter[str]) -> dict[str, object]:
        """The frame that says who is there."""
        at, last = clocks.now(), self._seen.get(live.id, {})
        here = [role for role in ROLES if audiences[role] or self._is_elsewhere(live, role, at)]
        away = {
            role: max(last[role], live.started)
            for role in ROLES
            if role not in here and role in last
        }
        return {
            "t": "people",
            "watchers": audiences["spectator"],
            "here": here,
            "away": away,
            "claim": claim(live, here, away, at),
        }

    def _is_elsewhere(self, live: Live, role: Role, at: int) -> bool:
        """Whether another process has seen a seat lately; a computer player is always there."""
        last = self._seen.get(live.id, {}).get(role, 0)
        return live.people[role].bot or last > max(
            at - seen.FRESH, self._left.get((live.id, role), 0)
        )

    async def refresh(self) -> None:
        """Writes down every seat with a page here, and reads the others of the games on show."""
        games = {live.id: (live, audiences) for live, audiences in hub().watched("game")}
        for live, audiences in games.values():
            self._come.update((live.id, role) for role in ROLES if audiences[role])
            self._ask(live)
        await self.settled()
        self._seen = {game: last for game, last in self._seen.items() if game in games}
        self._left = {key: at for key, at in self._left.items() if key[0] in games}

    async def note(self, slug: str) -> None:
        """Writes down at once which seats of a game have a page open here."""
        live, audiences = await desk().find(slug), hub().audiences(("game", slug))
        here = [role for role in ROLES if audiences[role]]
        if live and here:
            self._come.update((live.id, role) for role in here)
            self._ask(live)
            await self.settled()

    async def settled(self) -> None:
        """Waits until everything is written and read that was to be."""
        while self._task and not self._task.done():
            await self._task

    def _ask(self, live: Live) -> None:
        self._asked[live.id] = live.slug
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._exchange())

    async def _exchange(self) -> None:
        while self._asked or self._come or self._gone:
            come, gone, asked = self._come, self._gone, self._asked
            self._come, self._gone, self._asked, at = set(), set(), {}, clocks.now()
            try:
                read = await desk().read(seen.exchange, come | gone, asked.keys(), at)
            except Exception as error:
                if not note_outage(error):
                    log.exception("who is there could not be written down")
                continue
            self._seen.update(read)
            self._left.update(dict.fromkeys(gone, at))
            for slug in asked.values():
                hub().tell(("game", slug))


def claim(live: Live, here: list[Role], away: dict[Role, int], at: int) -> dict[str, object] | None:
    """Who may end the game because the other is gone, and from when on (epoch ms)."""
    for role in here:
        last = away.get(OTHER[role])
        if last is not None and at - last > seen.FRESH:
            start = endings.claimable_from(live, role, seen.gone_since(last, live.started))
            return None if start is None else {"by": role, "from": start}
    return None


presence = per_loop(Presence)


async def refresh() -> None:
    """The chore of every process with open pages."""
    await presence().refresh()
