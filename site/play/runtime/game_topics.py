"""The hub's source of games: loads a game, renders its frames, and reports presence."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from play.domain import clocks, visibility
from play.domain.game_state import GameState
from play.domain.snapshot import GamePeople
from play.domain.wire_types import Frame
from play.models import Game
from play.rating_source import rating_source
from play.runtime.game_service import GameService
from play.runtime.presence import Presence
from play.runtime.topics import TopicSource
from play.runtime.viewer_counts import ViewerNames, count_named


class GameSource(TopicSource[GameState]):
    """The source of the topics `("game", slug)`; an audience is a role, or `spectator`."""

    poll_share = 0.1  # players wait for the turns of computers, which workers play
    shows_people = True

    def __init__(self, games: GameService, presence: Presence) -> None:
        self._games = games
        self._presence = presence
        self._viewers = ViewerNames(games)

    async def load(self, slug: str) -> GameState | None:
        """Load the game at its current rev in the database."""
        return await self._games.renew(slug)

    async def load_many(
        self, slugs: Sequence[str]
    ) -> Mapping[str, GameState | BaseException | None]:
        """Load games at their current revs in the database."""
        return await self._games.renew_many(slugs)

    def rev(self, game: GameState) -> int:
        """Return the rev of the game."""
        return game.rev

    def render(self, game: GameState, audience: str) -> Frame:
        """Return the snapshot for one audience."""
        return visibility.frame(game, audience, clocks.now())

    def render_on_topic(self, game: GameState, audience: str, head: str) -> Frame:
        """Return the same on a topic, encoded into it at once: each action draws two."""
        return visibility.frame(game, audience, clocks.now(), head)

    def revs(self, slugs: Sequence[str]) -> dict[str, int]:
        """Return the current revs of many games, with one query."""
        return dict(Game.objects.filter(slug__in=slugs).values_list("slug", "rev"))

    def concerns(self, game: GameState, user: int) -> bool:
        """Return whether a game shows the name of a user."""
        return game.role_of(user) is not None

    def on_socket_opened(self, game: GameState, audience: str) -> None:
        """Note that a page of an audience was opened in this process."""
        self._presence.on_socket_opened(game, audience)

    def on_last_socket_closed(self, game: GameState, audience: str) -> None:
        """Note that the last page of an audience was closed in this process."""
        self._presence.on_last_socket_closed(game, audience)

    def on_visibility_changed(self, game: GameState, audience: str, is_visible: bool) -> None:
        """Note that a page of an audience became visible here, or that none is any more."""
        self._presence.on_visibility_changed(game, audience, is_visible)

    def crowd(self, game: GameState, audiences: Counter[str]) -> GamePeople:
        """Return the presence message: players present or absent, and the right to a claim."""
        is_hidden = game.ending is not None and game.has_known_address
        pool = rating_source().pool_of(game.rules.key, game.clock.kind)
        viewers = {} if is_hidden else self._viewers.shown(audiences, pool)
        ratings = {name: rating for name, rating in viewers.items() if rating}
        return self._presence.people(game, audiences, list(viewers), ratings)

    def hidden(self, audiences: Counter[str]) -> frozenset[tuple[int, int]]:
        """Return the pairs of a reader and a spectator of whom one blocks the other."""
        return self._viewers.hidden(audiences)

    def without_names(self, audiences: Counter[str], users: Collection[int]) -> Counter[str]:
        """Return the audiences without the keys of some spectators, who stay counted."""
        return audiences - count_named(users)

    def unknown(self, game: GameState, audiences: Counter[str]) -> set[int]:
        """Return the spectators whose names have to be read first."""
        return self._viewers.unknown(audiences)

    async def learn(self, users: set[int]) -> None:
        """Read the names of spectators."""
        await self._viewers.learn(users)

    def forget_name(self, user: int) -> None:
        """Drop the name of a renamed user."""
        self._viewers.forget(user)

    def is_final(self, message: Struct) -> bool:
        """Return whether the message stays true for later states.

        It does if no role is absent, so that none can claim an end.
        """
        return isinstance(message, GamePeople) and not message.away
