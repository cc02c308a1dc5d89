"""Decide about draws, takebacks and resignation, and answer offers while a worker thinks."""

import asyncio
import logging
from collections.abc import Callable
from typing import Literal

from bots import thought_log
from bots.scheduler import PendingTurn
from games.core import OTHER, Role
from games.players.resignation import gives_up
from play.domain.clocks import now
from play.domain.commands import Draw, Takeback
from play.domain.endings import may_claim
from play.domain.game_state import GameState, Offer
from play.domain.refusals import Reason, Refused
from play.runtime import game_commands
from play.runtime.game_service import GameService
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

MAX_DRAW_VALUE = 0.0  # a draw is accepted at or below this value; 0 also stands for a certain draw
MIN_DRAW_TURNS = 10  # no draw is accepted in earlier turns
Answer = Literal["accept", "decline"]
End = Literal["resign", "claim"]
log = logging.getLogger("quiver.bots")


def answer_draw(game: GameState, role: Role, value: float | None) -> Answer:
    """Accept a draw unless the role is ahead; where points count, only if it is behind.

    `value` is the role's latest expected result, -1 (lost) to 1 (won); None before the first.
    """
    if game.rules.counts_points:
        totals = game.rules.view(game.state, role)["totals"]
        return "accept" if totals[role] < totals[OTHER[role]] else "decline"
    is_settled = game.rules.turns(game.state) >= MIN_DRAW_TURNS
    is_welcome = value is not None and value <= MAX_DRAW_VALUE
    return "accept" if is_settled and is_welcome else "decline"


def resign_or_offer(
    game: GameState, may_resign: bool, value: float, before: float | None
) -> End | None:
    """Return how to end the game, or None to play on.

    `value` is the expected result now, `before` that of the turn before, None if there was none.
    A game that counts points is never resigned.
    """
    if may_claim(game) and value <= 0:
        return "claim"
    if not may_resign or game.rules.counts_points:
        return None
    return "resign" if gives_up(value, before) else None


class Replies:
    """The pending answers of one worker.

    Several workers may answer the same offer; the first answer counts. `failed` is called with the
    slug of a game where an answer could not be sent.
    """

    def __init__(self, games: GameService, failed: Callable[[str], object]) -> None:
        self._games = games
        self._failed = failed
        self._tasks: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    def give(self, due: PendingTurn) -> None:
        """Answer an offer at its time, unless that answer is pending already."""
        offer = due.live.offers[due.what]  # type: ignore[index]
        key = (due.live.slug, due.what, offer.rev)
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._answer(due, offer))
            task.add_done_callback(lambda done: self._tasks.pop(key, None))

    async def stop(self) -> None:
        """Cancel the pending answers; other workers will give them."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, due: PendingTurn, offer: Offer) -> None:
        await asyncio.sleep(max(0, due.at - now()) / 1000)
        slug, user = due.live.slug, due.live.people[due.role].user
        try:
            reply = await self._reply_to(due, offer)
            await game_commands.perform(self._games, slug, user, reply, now())
        except Refused as refused:
            if refused.reason not in (Reason.BUSY, Reason.UNSURE):  # an outage is logged once
                log.info(
                    "game %s: the answer to an offer was refused: %s",
                    shorten_key(slug),
                    refused.reason,
                )
        except Exception as error:
            if not note_outage(error):
                log.exception(
                    "game %s: an offer could not be answered; it is tried again", shorten_key(slug)
                )
            self._failed(slug)

    async def _reply_to(self, due: PendingTurn, offer: Offer) -> Draw | Takeback:
        """Return the command that answers an offer; takebacks are always accepted."""
        id = f"bot-{due.what}-{offer.rev}"
        if due.what == "takeback":
            return Takeback(id, "accept", offer.rev)
        value = await self._games.run_in_db_thread(thought_log.latest_thoughts, due.live, due.role)
        return Draw(id, answer_draw(due.live, due.role, value), offer.rev)
