"""The topic `rating:SLUG`: pages learn that a rated game that is over has been rated.

A frame says only that; the page fetches the change itself (`views.game_rating`), in its language.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from accounts.refusals import Refused
from play.domain.game_refusals import Reason
from play.domain.wire_types import Frame, Outgoing, encode_frame
from play.models import Game
from play.runtime.game_service import GameService
from play.runtime.topics import TopicSource
from play.sockets.topic_handlers import Admission, Scope, TopicHandler
from ratings.models import RatingEntry

TOPIC: Final = "rating"


class RatingState(Outgoing, frozen=True, tag="rating"):
    """Whether a game has been rated."""

    rev: int  # of its entry in the log of ratings; 0 before


def read_revs(slugs: Sequence[str]) -> dict[str, int]:
    """Return the numbers of the entries of games, 0 for those without one; one query."""
    entries = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME, game__slug__in=slugs)
    return dict.fromkeys(slugs, 0) | dict(entries.values_list("game__slug", "seq"))


class RatingSource(TopicSource[int]):
    """Frames of `("rating", slug)`; a value is the number of the entry."""

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def load(self, ident: str) -> int:
        """Return the number of a game's entry."""
        return (await self.load_many([ident]))[ident]

    async def load_many(self, idents: Sequence[str]) -> dict[str, int]:
        """Return the numbers of many games' entries."""
        return await self._games.run_in_db_thread(read_revs, idents)

    def rev(self, value: int) -> int:
        """Return the number, which is set once."""
        return value

    def render(self, value: int, audience: str) -> Frame:
        """Return the frame, the same for all."""
        return encode_frame(RatingState(rev=value))

    def revs(self, idents: Sequence[str]) -> Mapping[str, int]:
        """Return the numbers of many games' entries, in one query."""
        return read_revs(idents)


class RatingHandler(TopicHandler):
    """The handler of `rating:SLUG`."""

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return topic and audience. Raise `Refused` unless a rated game has ended."""
        is_over = Game.objects.rated_and_over().filter(slug=ident).exists
        if not await scope["runtime"].games.run_in_db_thread(is_over):
            raise Refused(Reason.GONE)
        return Admission((TOPIC, ident), "")
