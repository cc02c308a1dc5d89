"""Decide about draws, takebacks and resignation, and answer offers while a worker thinks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

from accounts.refusals import Refused
from bots import thought_log
from bots.scheduler import PendingTurn
from games.amazons import Amazons
from games.core import Role
from games.counting import may_be_counted
from games.decided import find
from games.players.core import Level
from games.players.manners import LOST, PLAYS_ON, Manners, manners_of
from games.territory import are_separated
from play.domain.clocks import now
from play.domain.commands import Draw, Takeback
from play.domain.endings import count_of, may_claim, may_claim_decided
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState, Offer
from play.runtime import game_commands
from play.runtime.game_service import GameService
from ratings.placing.search_state import is_placement_game
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

Answer = Literal["accept", "decline"]
FindLevel = Callable[[GameState, Role], Awaitable[Level | None]]
End = Literal["resign", "claim", "count", "decided"]
log = logging.getLogger("quiver.bots")


def answer_draw(game: GameState, manners: Manners, value: float | None) -> Answer:
    """Return the answer of a level to a draw offer.

    `value` is its latest expected result, -1 (lost) to 1 (won); None before its first turn.
    """
    rules, state = game.rules, game.state
    is_decided = isinstance(rules, Amazons) and are_separated(rules, state)
    is_welcome = manners.accepts_draw(value, rules.turns(state), is_decided)
    return "accept" if is_welcome else "decline"


def _squares_ahead(game: GameState, role: Role) -> int | None:
    """Return how many more own squares a role has once the game may be counted; else None."""
    counted = count_of(game)
    if counted is None or not counted.is_parted:
        return None
    ahead = counted.white - counted.black
    return ahead if role == "white" else -ahead


def can_prove_win(game: GameState, role: Role) -> bool:
    """Return whether a role finds a proof at its turn that it wins."""
    if not may_claim_decided(game, role):
        return False
    return find(game.rules, game.state, role, is_counted=game.is_counted) is not None


def resign_or_claim(
    game: GameState, role: Role, manners: Manners | None, value: float, before: float | None
) -> End | None:
    """Return how to end the game, or None to play on.

    Without manners (in a game between two computer players for spectators), a level never resigns:
    the winner ends the game as soon as it can prove that it wins.

    `value` is the expected result now, `before` that of the turn before, None if there was none.
    With the free arrow a parted game is counted as soon as the count does not lose; where squares
    are not counted it is not resigned, because keeping its arrows holds the draw.
    """
    if manners is None and can_prove_win(game, role):
        return "decided"
    if (ahead := _squares_ahead(game, role)) is not None:
        if ahead >= 0:
            return "count"
        return "resign" if manners is not None and manners.resigns(LOST, LOST) else None
    if may_claim(game) and value <= 0:
        return "claim"
    holds_draw = may_be_counted(game.rules) and not game.is_counted
    if manners is None or holds_draw:
        return None
    return "resign" if manners.resigns(value, before) else None


class Replies:
    """The pending answers of one worker.

    Several workers may answer the same offer; the first answer counts. `find_level` returns the
    level of a seat, None if this machine cannot play it; `failed` is called with the slug of a game
    where an answer could not be sent.
    """

    def __init__(
        self, games: GameService, find_level: FindLevel, failed: Callable[[str], object]
    ) -> None:
        self._games = games
        self._find_level = find_level
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
        """Return the command that answers an offer.

        Takebacks are accepted, except in games of a placement: a loss could be avoided by them.
        """
        id = f"bot-{due.what}-{offer.rev}"
        if due.what == "takeback":
            is_placing = await self._games.run_in_db_thread(is_placement_game, due.live.id)
            return Takeback(id, "decline" if is_placing else "accept", offer.rev)
        value = await self._games.run_in_db_thread(thought_log.latest_thoughts, due.live, due.role)
        level = await self._find_level(due.live, due.role)
        manners = manners_of(due.live.rules.key, level.number) if level else PLAYS_ON
        return Draw(id, answer_draw(due.live, manners, value), offer.rev)
