"""Conditional replies as topics of a socket: the owner's pages read, try and save them."""

from types import MappingProxyType
from typing import Any

from games.core import Role
from play.domain import clocks, reply_frames
from play.domain.game_state import GameState
from play.domain.refusals import Reason, Refused
from play.domain.reply_frames import Saved, Tried
from play.domain.reply_plans import checked_lines, require_replies
from play.domain.visibility import role_of
from play.runtime import game_commands
from play.runtime.reply_player import plan_topic
from play.sockets.messages import message_decoder
from play.sockets.reply_messages import ReplyMessage, SaveReplies, TryTurns
from play.sockets.subscription import Scope, Subscription
from play.sockets.topic_handlers import Admission, TopicHandler
from play.storage import reply_plans

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
            await games.run_in_db_thread(reply_plans.replace_plan, game, role, lines, at)
            subscription.runtime.publish(plan_topic(game.slug, role))
            subscription.reply(Saved(id=message.id, lines=len(lines)))


def _try_turns(game: GameState, role: Role, message: TryTurns) -> Tried:
    """Return the position after the turns of a question. Raise `Refused`."""
    if role in game.control:
        raise Refused(Reason.OWN_TURN)
    return reply_frames.tried(game, role, message.id, message.turns)
