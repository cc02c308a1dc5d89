"""The hub's source of games: loads a game, renders its frames, and reports presence."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from play.domain import clocks, visibility
from play.domain.game_state import GameState
from play.domain.snapshot import GamePeople
from play.domain.wire_types import Frame
from play.models import Game
from play.rating_source import rating_source
from play.runtime.game_service import GameService
from play.runtime.seat_presence import SeatPresence
from play.runtime.topics import TopicSource
from play.runtime.viewer_names import Viewer


class GameSource(TopicSource[GameState]):
    """The source of the topics `("game", slug)`; an audience is a role, or `spectator`."""

    poll_share = 0.1  # players wait for the turns of computers, which workers play
    shows_people = True

    def __init__(self, games: GameService, seats: SeatPresence) -> None:
        self._games = games
        self._seats = seats

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

    def on_pages_changed(self, game: GameState, audience: str) -> None:
        """Note that pages of an audience came, left, or became visible or hidden."""
        self._seats.on_pages_changed(game, audience)

    def crowd(
        self, game: GameState, audiences: Counter[str], viewers: Sequence[Viewer]
    ) -> GamePeople:
        """Return the presence message: players present or absent, and the right to a claim."""
        if game.ending is not None and game.has_known_address:
            viewers = ()
        pool = rating_source().pool_of(game.rules.key, game.clock.kind)
        ratings = {each.name: each.ratings[pool] for each in viewers if each.ratings.get(pool)}
        return self._seats.people(game, audiences, [each.name for each in viewers], ratings)

    def is_final(self, message: Struct) -> bool:
        """Return whether the message stays true for later states.

        It does if no role is absent, so that none can claim an end.
        """
        return isinstance(message, GamePeople) and not message.away
