"""Games as topics of a socket: the commands of the players, and questions of every page."""

from types import MappingProxyType
from typing import Any

from accounts.refusals import Refused
from play.domain import visibility
from play.domain.game_refusals import Reason
from play.domain.snapshot import Explained
from play.domain.visibility import explain_choice
from play.runtime import game_commands
from play.runtime.topics import Rev
from play.sockets import messages
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler
from telemetry import counters

SPECTATOR = "spectator"


class GameHandler(TopicHandler):
    """The handler of `game:SLUG`; an audience is a role, or `spectator`."""

    fault = Reason.UNSURE  # it may have been committed
    rates = MappingProxyType({"explain": 5.0})

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the audience of the user in a game. Raise `Refused` if they may not see it."""
        user = scope["user"].pk
        audience = await game_commands.audience_of(scope["runtime"].games, ident, user)
        return Admission(("game", ident), audience, user if audience == SPECTATOR else None)

    def parse(self, text: str) -> messages.GameMessage:
        """Return a message about a game. Raise `Refused`."""
        return messages.parse_game_message(text)

    async def bring_up(self, subscription: Subscription, rev: Rev) -> None:
        """Answer a page that has `rev`; one with a rev that the database lacks has to reload."""
        games = subscription.runtime.games
        if isinstance(rev, int) and await game_commands.has_lost(games, subscription.ident, rev):
            subscription.reply(messages.Anew())
        else:
            await super().bring_up(subscription, rev)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Answer a question, or perform a command."""
        slug, runtime = subscription.ident, subscription.runtime
        if isinstance(message, messages.Plan):
            game = await runtime.games.find(slug)
            if game is None or game.rev != message.rev:
                await self.bring_up(subscription, message.rev)
            else:
                subscription.reply(visibility.premove_message(game, subscription.audience))
        elif isinstance(message, messages.Explain):
            subscription.reply(await self._explain(subscription, message))
        elif isinstance(message, messages.Flag):
            await game_commands.check_flag_request(runtime.games, slug, received_at)
            subscription.show_newest()
        elif subscription.audience == SPECTATOR:
            # Seats never change, so this is refused without a read that would delay the players.
            raise Refused(Reason.NOT_SEATED)
        else:
            user = subscription.scope["user"].pk
            line = subscription.scope.get("line")
            lag = line.lag if line is not None else 0
            with counters.answer():
                receipt = await game_commands.perform(
                    runtime.games, slug, user, message, received_at, lag
                )
            subscription.reply(receipt)

    async def _explain(self, subscription: Subscription, message: messages.Explain) -> Explained:
        """Return why a square cannot be chosen. Raise `Refused`, for spectators without a read."""
        role = visibility.role_of(subscription.audience)
        if role is None:
            raise Refused(Reason.NOT_SEATED)
        game = await subscription.runtime.games.find(subscription.ident)
        if game is None:
            raise Refused(Reason.GONE)
        return explain_choice(game, role, message.id, message.step, message.squares)
