"""The hub's source of conditional replies: each topic is of one role, for its own pages."""

from collections.abc import Sequence
from typing import NamedTuple

from games.core import Role
from play.domain.game_state import GameState
from play.domain.reply_plans import RepliesState, shown_lines
from play.domain.wire_types import Frame, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource, topic_name
from play.storage import load, reply_plan_rows
from play.storage.reply_plan_rows import Plan

NO_PLAN = "none"  # rev of a role without conditional replies


class Replies(NamedTuple):
    """The conditional replies of a role at a rev."""

    rev: str
    state: RepliesState

    def __repr__(self) -> str:
        return f"Replies(rev={self.rev!r})"


class ReplySource(TopicSource[Replies]):
    """The source of the topics `("replies", "SLUG/ROLE")`; the audience is the role."""

    def __init__(self, games: GameService) -> None:
        self._games = games

    def page_name(self, topic: Topic) -> str:
        """Return the name of the topic in messages: each page follows those of its own role."""
        return topic_name(topic[0], topic[1].partition("/")[0])

    async def load(self, ident: str) -> Replies | None:
        """Load the replies of a role, as they are stored."""
        slug, _, word = ident.partition("/")
        role: Role = "white" if word == "white" else "black"
        game = await self._games.renew(slug)
        if game is None:
            return None
        return await self._games.run_in_db_thread(_load, game, role)

    def rev(self, replies: Replies) -> str:
        """Return a text that differs after every change."""
        return replies.rev

    def render(self, replies: Replies, audience: str) -> Frame:
        """Return the frame for the owner's pages."""
        return encode_frame(replies.state)

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Return the current revs of many topics, with one query."""
        found = reply_plan_rows.revs(list({ident.partition("/")[0] for ident in idents}))
        stored = {f"{slug}/{role}": str(at) for (slug, role), at in found.items()}
        return {ident: stored.get(ident, NO_PLAN) for ident in idents}


def _load(game: GameState, role: Role) -> Replies:
    """Return the replies of a role; none where they are left over from before a takeback."""
    plan = reply_plan_rows.read(game.id, role)
    if plan is None or not _is_in_time(game, plan):
        rev = NO_PLAN if plan is None else str(plan.at)
        return Replies(rev, RepliesState(step=game.step, takebacks=game.takebacks, lines=[]))
    base = game if plan.step == game.step else load.rewind_to(game, plan.step)
    lines = shown_lines(base, role, plan.lines)
    state = RepliesState(step=plan.step, takebacks=plan.takebacks, lines=lines)
    return Replies(str(plan.at), state)


def _is_in_time(game: GameState, plan: Plan) -> bool:
    return not game.ending and plan.takebacks == game.takebacks and plan.step <= game.step
