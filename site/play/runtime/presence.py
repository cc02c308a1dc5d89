"""Presence of players: open pages of this process, and what other processes have stored.

A process with an open page of a seat stores that every ten seconds, and once more when the last of
them closes.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from games.core import OTHER, Role
from play.domain import clocks, endings
from play.domain.game_state import GameState
from play.domain.snapshot import GamePeople, ShownClaim
from play.models import FRESH_MS
from play.runtime.game_service import GameService
from play.runtime.hub import Hub
from play.storage import last_seen
from play.storage.last_seen import Key
from telemetry.outage_log import note_outage

REFRESH_INTERVAL_S = 10.0  # between two writes of presence
# After which a seat that nobody has seen counts as absent, and all pages have been told so.
TOLD_MS = FRESH_MS + 2_000 * round(REFRESH_INTERVAL_S)
MAX_EXCHANGED = 500  # seats or games at a time: on SQLite, the writer's thread writes them
K = TypeVar("K")
ROLES: tuple[Role, ...] = ("white", "black")
log = logging.getLogger("quiver.play")


class Presence:
    """The presence that one process knows of."""

    def __init__(self, games: GameService, hub: Hub) -> None:
        self._games = games
        self._hub = hub
        self._seen: dict[int, dict[Role, int]] = {}  # by game, as last read
        self._left: dict[Key, int] = {}  # when this process stored that its last page had closed
        self._come: set[Key] = set()  # seats to store as present
        self._gone: set[Key] = set()  # seats to store after their last page here closed
        self._visible: set[Key] = set()  # those of `_come` of which a page is visible
        self._hidden: set[Key] = set()  # seats to store of which no page here is visible any more
        self._shown: set[Key] = set()  # seats that were stored as visible and not as hidden since
        self._asked: dict[int, str] = {}  # games whose seats are to be read, with their slugs
        self._task: asyncio.Task[None] | None = None

    def on_socket_opened(self, game: GameState, audience: str) -> None:
        """Note that a page of an audience was opened here."""
        for role in ROLES:
            if role == audience:
                self._come.add((game.id, role))
                self._gone.discard((game.id, role))
        if audience in ROLES or game.id not in self._seen:
            self._request_read(game)

    def on_last_socket_closed(self, game: GameState, audience: str) -> None:
        """Note that the last page of an audience was closed here."""
        for role in ROLES:
            if role == audience:
                self._come.discard((game.id, role))
                self._gone.add((game.id, role))
                asyncio.get_running_loop().call_later(
                    (FRESH_MS + 100) / 1000, partial(self._hub.tell, ("game", game.slug))
                )
                self._request_read(game)

    def on_visibility_changed(self, game: GameState, audience: str, is_visible: bool) -> None:
        """Note that a page of an audience became visible here, or that none is any more."""
        for role in ROLES:
            if role != audience:
                continue
            key = (game.id, role)
            (self._visible if is_visible else self._hidden).add(key)
            (self._hidden if is_visible else self._visible).discard(key)
            (self._shown.add if is_visible else self._shown.discard)(key)
            self._start_exchange()

    def people(
        self,
        game: GameState,
        audiences: Counter[str],
        watching: Sequence[str],
        ratings: Mapping[str, str],
    ) -> GamePeople:
        """Return the message about presence.

        `watching` are the names of spectators, `ratings` those of some by name.
        """
        at, last = clocks.now(), self._seen.get(game.id, {})
        here = [role for role in ROLES if audiences[role] or self._is_elsewhere(game, role, at)]
        away = {
            role: max(last[role], game.started)
            for role in ROLES
            if role not in here and role in last
        }
        claim = check_claim(game, here, away, at)
        return GamePeople(audiences["spectator"], watching, here, away, claim, ratings)

    def _is_elsewhere(self, game: GameState, role: Role, at: int) -> bool:
        """Return whether another process has seen a seat lately.

        Computer players are always present.
        """
        last = self._seen.get(game.id, {}).get(role, 0)
        return game.people[role].bot or last > max(
            at - FRESH_MS, self._left.get((game.id, role), 0)
        )

    async def refresh(self) -> None:
        """Store every seat with a page here, and read the others of the watched games."""
        games = {live.id: (live, audiences) for live, audiences in self._hub.list_watched("game")}
        shown: set[Key] = set()
        for live, audiences in games.values():
            self._come.update((live.id, role) for role in ROLES if audiences[role])
            visible = self._hub.visible(("game", live.slug))
            shown.update((live.id, role) for role in ROLES if role in visible)
            if not all(audiences[role] or live.people[role].bot for role in ROLES):
                self._request_read(live)  # else nobody is absent, and nobody in another process
        self._hidden |= self._shown - shown  # their connections have fallen silent
        self._visible |= shown
        self._shown = shown
        if self._come or self._hidden:
            self._start_exchange()
        await self.wait_until_stored()
        self._seen = {game: last for game, last in self._seen.items() if game in games}
        self._left = {key: at for key, at in self._left.items() if key[0] in games}

    async def note(self, slug: str) -> None:
        """Store at once which seats of a game have a page open here."""
        live, audiences = await self._games.find(slug), self._hub.audiences(("game", slug))
        here = [role for role in ROLES if audiences[role]]
        if live and here:
            self._come.update((live.id, role) for role in here)
            self._request_read(live)
            await self.wait_until_stored()

    async def wait_until_stored(self) -> None:
        """Wait until all pending writes and reads are done."""
        while self._task and not self._task.done():
            await self._task

    def _request_read(self, game: GameState) -> None:
        self._asked[game.id] = game.slug
        self._start_exchange()

    def _start_exchange(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._exchange())

    async def _exchange(self) -> None:
        while self._asked or self._come or self._gone or self._visible or self._hidden:
            come, gone, at = _take(self._come), _take(self._gone), clocks.now()
            looks = last_seen.Looks(_take(self._visible), _take(self._hidden))
            asked = {game: self._asked.pop(game) for game in _take(set(self._asked))}
            try:
                if come or gone or any(looks):
                    write = partial(last_seen.write_last_seen, come | gone, at, looks)
                    await self._games.write_housekeeping(write)
                run, read = self._games.run_in_db_thread, last_seen.read_last_seen
                found = await run(read, asked.keys()) if asked else {}
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "presence could not be written",
                        extra={"event": "presence_failed"},
                    )
                continue
            for game, role in come:
                if game in self._seen:
                    self._seen[game][role] = at
            self._left.update(dict.fromkeys(gone, at))
            left = {game for game, _ in gone}
            for game, slug in asked.items():
                seen = found.get(game, {})
                elsewhere = [last for role, last in seen.items() if (game, role) not in come]
                if (
                    game in left
                    or self._seen.get(game) != seen
                    or any(last > at - TOLD_MS for last in elsewhere)
                ):
                    self._hub.tell(("game", slug))
            self._seen.update(found)


def _take(keys: set[K]) -> set[K]:
    """Remove and return keys that are exchanged together; the others come next."""
    taken = set(islice(keys, MAX_EXCHANGED))
    keys -= taken
    return taken


def check_claim(
    game: GameState, here: list[Role], away: dict[Role, int], at: int
) -> ShownClaim | None:
    """Return the role that may end the game because the other is absent, and from when."""
    for role in here:
        last = away.get(OTHER[role])
        if last is not None and at - last > FRESH_MS:
            start = endings.claimable_from(game, role, last_seen.gone_since(last, game.started))
            return None if start is None else ShownClaim(role, start)
    return None
