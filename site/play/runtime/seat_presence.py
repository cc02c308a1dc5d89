"""Presence of players: their pages in all processes, and when they were last at their seats.

A process with an open page of a seat stores that every ten seconds, and once more when the last of
them closes or is hidden.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice, product

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
MAX_EXCHANGED = 250  # games at a time: on SQLite, the writer's thread writes their seats
TELL_DELAY_MS = 100  # after a seat has become absent
ROLES: tuple[Role, ...] = ("white", "black")
log = logging.getLogger("quiver.play")


class SeatPresence:
    """The seats of the games that pages of one process show."""

    def __init__(self, games: GameService, hub: Hub) -> None:
        self._games = games
        self._hub = hub
        self._seen: dict[int, dict[Role, int]] = {}  # by game, as last read
        self._stored: dict[Key, bool] = {}  # seats with a page here, and whether visible, as stored
        self._changed: dict[int, GameState] = {}  # games whose seats are to be stored and read
        self._task: asyncio.Task[None] | None = None

    def on_pages_changed(self, game: GameState, audience: str) -> None:
        """Note that pages of an audience came, left, or became visible or hidden."""
        if audience in ROLES or game.id not in self._seen:
            self._start_exchange([game])

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
        here = [
            role
            for role in ROLES
            if audiences[role] or game.people[role].bot or _is_coming_back(last.get(role, 0), at)
        ]
        away = {
            role: max(last[role], game.started)
            for role in ROLES
            if role not in here and role in last
        }
        claim = check_claim(game, here, away, at)
        return GamePeople(audiences["spectator"], watching, here, away, claim, ratings)

    async def refresh(self) -> None:
        """Store every seat with a page here, and read the others of the watched games."""
        watched = self._hub.list_watched("game")
        self._start_exchange(game for game, _ in watched)
        await self.wait_until_stored()
        ids = {game.id for game, _ in watched}
        self._seen = {game: last for game, last in self._seen.items() if game in ids}

    async def note(self, slug: str) -> None:
        """Store at once which seats of a game have a page open here."""
        game, audiences = await self._games.find(slug), self._hub.presence.audiences(("game", slug))
        if game and any(audiences[role] for role in ROLES):
            self._start_exchange([game])
            await self.wait_until_stored()

    async def wait_until_stored(self) -> None:
        """Wait until all pending writes and reads are done."""
        while self._task and not self._task.done():
            await self._task

    def _start_exchange(self, games: Iterable[GameState]) -> None:
        self._changed.update({game.id: game for game in games})
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._exchange_all())

    async def _exchange_all(self) -> None:
        """Exchange what has changed; what fails is exchanged with the next refresh."""
        while self._changed:
            batch = dict(islice(self._changed.items(), MAX_EXCHANGED))
            for game in batch:
                del self._changed[game]
            try:
                await self._exchange(batch)
            except Exception as error:
                self._changed = batch | self._changed
                if not note_outage(error):
                    log.exception(
                        "presence could not be written",
                        extra={"event": "presence_failed"},
                    )
                return

    async def _exchange(self, games: Mapping[int, GameState]) -> None:
        """Store the seats of games with a page here, and those without one since the last time.

        The seats of games with an absent player are read, and their pages are told of changes, now
        and when a player who has just left counts as absent.
        """
        at = clocks.now()
        here = {key: is_visible for game in games.values() for key, is_visible in self._list(game)}
        seats = product(games, ROLES)
        before = {key: self._stored[key] for key in seats if key in self._stored}
        looks = last_seen.Looks(
            visible=[key for key, is_visible in here.items() if is_visible],
            hidden=[key for key, is_visible in before.items() if is_visible and not here.get(key)],
        )
        if keys := here.keys() | before.keys():
            write = partial(last_seen.write_last_seen, keys, at, looks)
            await self._games.write_housekeeping(write)
        for key in before.keys() - here.keys():
            del self._stored[key]
        self._stored |= here
        for game, role in here:
            self._seen.get(game, {})[role] = at
        asked = [game.id for game in games.values() if self._is_to_be_read(game, here.keys())]
        if not asked:
            return
        found = await self._games.run_in_db_thread(last_seen.read_last_seen, asked)
        for game in asked:
            topic, seen = ("game", games[game].slug), found.get(game, {})
            if self._seen.get(game) != seen:
                self._hub.tell(topic)
            for role, last in seen.items():
                if (game, role) not in here and last > at - FRESH_MS:
                    delay_s = (last + FRESH_MS + TELL_DELAY_MS - at) / 1000
                    asyncio.get_running_loop().call_later(delay_s, self._hub.tell, topic)
        self._seen.update(found)

    def _list(self, game: GameState) -> list[tuple[Key, bool]]:
        """Return the seats of a game with a page here, and whether one is visible."""
        topic = ("game", game.slug)
        presence = self._hub.presence
        audiences, visible = presence.audiences(topic), presence.visible(topic)
        return [((game.id, role), role in visible) for role in ROLES if audiences[role]]

    def _is_to_be_read(self, game: GameState, here: Iterable[Key]) -> bool:
        """Return whether a player is absent, or present only in another process."""
        return game.id not in self._seen or not all(
            (game.id, role) in here or game.people[role].bot for role in ROLES
        )


def _is_coming_back(last: int, at: int) -> bool:
    """Return whether a seat was `last` seen shortly before this process began.

    Its page needs some seconds to connect again.
    """
    return at - FRESH_MS < last < last_seen.STARTED


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
