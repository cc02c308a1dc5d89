"""Conditional replies as topics of a socket: the owner's pages read, try and save them."""

from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta

from accounts.refusals import Refused
from games.core import Role
from play.domain import clocks
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.domain.reply_plans import Saved, Tried, checked_lines, require_replies, tried
from play.domain.visibility import role_of
from play.domain.wire_types import ActionText, Count, Id, Message
from play.runtime import game_commands
from play.runtime.reply_player import plan_topic
from play.sockets.messages import message_decoder
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler
from play.storage import reply_plan_rows

MAX_WIRE_LINES = 16  # more than is allowed, so that a page is told why
MAX_WIRE_TURNS = 16
MAX_TURN_ACTIONS = 4

WireTurn = Annotated[tuple[ActionText, ...], Meta(min_length=1, max_length=MAX_TURN_ACTIONS)]
WireLine = Annotated[tuple[WireTurn, ...], Meta(max_length=MAX_WIRE_TURNS)]


class SaveReplies(Message, frozen=True, tag="save_replies"):
    """Replaces the sender's conditional replies as a whole; no lines: deletes them.

    A line begins with a turn of the opponent, and ends with one of the sender. Answered with
    `saved`, and on every page of the sender with `replies`; or with a refusal whose `index` is the
    number of the line.
    """

    id: Id
    step: Count
    takebacks: Count
    lines: Annotated[tuple[WireLine, ...], Meta(max_length=MAX_WIRE_LINES)]

    def __repr__(self) -> str:
        return f"SaveReplies({self.id!r}, step={self.step})"


class TryTurns(Message, frozen=True, tag="try_turns"):
    """Asks for the position after some turns from the current one; answered with `tried`.

    More than a few in a second are dropped without an answer. Changes nothing.
    """

    id: Id
    step: Count
    takebacks: Count
    turns: WireLine

    def __repr__(self) -> str:
        return f"TryTurns({self.id!r}, step={self.step})"


ReplyMessage = SaveReplies | TryTurns


parse_reply_message = message_decoder(ReplyMessage)


class ReplyHandler(TopicHandler):
    """The handler of `replies:SLUG`; an audience is a role."""

    has_text_revs = True
    rates = MappingProxyType({"try_turns": 5.0})

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the topic of the user's role. Raise `Refused` if there are no such replies."""
        games = scope["runtime"].games
        audience = await game_commands.audience_of(games, ident, scope["user"].pk)
        game = await games.find(ident)
        if game is None:
            raise Refused(Reason.GONE)
        role = require_replies(game, role_of(audience))
        return Admission(plan_topic(ident, role), role)

    def parse(self, text: str) -> Any:
        """Return a message about conditional replies. Raise `Refused`."""
        return parse_reply_message(text)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Try some turns, or replace the replies."""
        games = subscription.runtime.games
        game = await games.renew(subscription.ident)
        if game is None:
            raise Refused(Reason.GONE)
        role = require_replies(game, game.role_of(subscription.scope["user"].pk))
        if (message.step, message.takebacks) != (game.step, game.takebacks):
            raise Refused(Reason.OVER if game.ending else Reason.STALE_STEP)
        if isinstance(message, TryTurns):
            subscription.reply(_try_turns(game, role, message))
        elif isinstance(message, SaveReplies):
            lines = checked_lines(game, role, message.lines)
            at = clocks.now()
            await games.run_in_db_thread(reply_plan_rows.replace_plan, game, role, lines, at)
            subscription.runtime.publish(plan_topic(game.slug, role))
            subscription.reply(Saved(id=message.id, lines=len(lines)))


def _try_turns(game: GameState, role: Role, message: TryTurns) -> Tried:
    """Return the position after the turns of a question. Raise `Refused`."""
    if role in game.control:
        raise Refused(Reason.OWN_TURN)
    return tried(game, role, message.id, message.turns)
