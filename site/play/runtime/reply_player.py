"""Play conditional replies after each turn in a slow game, and show them to their owner as topics.

A plan that was left over by a process that died is played by a periodic sweep.

A reply is performed like any other action, as `PlayedAhead` under an id derived from its step, so
that it is played once even if several processes try. It begins only after the opponent's turn has
been committed and answered, so that nothing reveals a plan before its reply is played.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from accounts.refusals import Refused
from games.core import Role
from play.domain import clocks
from play.domain.clocks import RUNNING_KINDS
from play.domain.commands import Envelope, PlayedAhead
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState
from play.domain.reply_plans import RepliesState, Reply, shown_lines
from play.domain.wire_types import Frame, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource, topic_name
from play.storage import load, reply_plan_rows
from play.storage.batched_reads import BatchedReads
from play.storage.reply_plan_rows import Plan
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

SWEEP_INTERVAL_S = 5.0
PASSING = (Reason.BUSY, Reason.UNSURE, Reason.SLOW_DOWN)  # the next sweep tries again
log = logging.getLogger("quiver.play")
Publish = Callable[[Topic], None]


def plan_topic(slug: str, role: str) -> Topic:
    """Return the topic of a role's conditional replies; only its pages follow it."""
    return ("replies", f"{slug}/{role}")


def reply_id(game: GameState) -> str:
    """Return the action id of a reply in the open step; pages cannot send an id with a colon."""
    return f"site:reply:{game.takebacks}:{game.step}"


class ReplyPlayer:
    """Plays the conditional replies of the games that change in this process."""

    def __init__(self, games: GameService, publish: Publish) -> None:
        self._games = games
        self._publish = publish
        self._plans: BatchedReads[int, list[Plan]] = BatchedReads(
            partial(games.run_in_db_thread, reply_plan_rows.plans_of)
        )
        self._running: dict[str, asyncio.Task[None]] = {}  # by slug
        self._changed: set[str] = set()  # slugs that changed meanwhile

    def on_change(self, game: GameState, others: Sequence[Topic]) -> None:
        """Look for plans of a slow game that has changed; returns at once."""
        is_slow = game.clock.kind not in RUNNING_KINDS and not game.rules.is_simultaneous
        if not is_slow:
            return
        if game.slug in self._running:
            self._changed.add(game.slug)
        else:
            self._running[game.slug] = asyncio.create_task(self._play_until_quiet(game.slug))

    async def _play_until_quiet(self, slug: str) -> None:
        try:
            await self._play_logged(slug)
            while slug in self._changed:
                self._changed.discard(slug)
                await self._play_logged(slug)
        finally:
            self._changed.discard(slug)
            self._running.pop(slug, None)

    async def sweep(self) -> None:
        """Play the replies, and drop the plans, that a process has left over."""
        for slug in await self._games.run_in_db_thread(reply_plan_rows.due_games):
            await self._play_logged(slug)

    async def _play_logged(self, slug: str) -> None:
        try:
            await self.play(slug)
        except Exception as error:
            is_passing = isinstance(error, Refused) and error.reason in PASSING
            if not is_passing and not note_outage(error):
                log.exception(
                    "the conditional replies of game %s could not be played; retrying",
                    shorten_key(slug),
                    extra={"event": "replies_failed"},
                )

    async def play(self, slug: str) -> None:
        """Process the plans of a game: play replies until none matches."""
        is_changed = True
        while is_changed:
            game = await self._games.find(slug)
            if game is None:
                return
            plans = await self._plans.get(game.id)
            if not plans:
                return
            game = await self._games.renew(slug) or game
            done = [await self._follow(game, plan) for plan in plans]
            is_changed = any(done)

    async def _follow(self, game: GameState, plan: Plan) -> bool:
        """Process a plan: play, keep or drop it; return whether a reply was played."""
        run = self._games.run_in_db_thread
        due = await run(reply_plan_rows.judge, game, plan)
        if due.is_stale:
            await run(reply_plan_rows.drop, plan)
        elif due.reply is not None:
            return await self._reply(game, plan, due.reply)
        elif due.rest is not None:
            await run(reply_plan_rows.carry_on, plan, due.rest.step, due.rest.lines)
        else:
            return False
        self._publish(plan_topic(game.slug, plan.role))
        return False

    async def _reply(self, game: GameState, plan: Plan, reply: Reply) -> bool:
        command = PlayedAhead(
            id=reply_id(game), step=game.step, actions=reply.actions, takebacks=game.takebacks
        )
        user, run = game.people[plan.role].user, self._games.run_in_db_thread
        try:
            await self._games.perform(Envelope(game.slug, user, clocks.now(), command))
        except Refused as refused:
            if refused.reason in PASSING:
                raise
            is_played = False
            await run(reply_plan_rows.drop, plan)
        else:
            is_played = True
            step = game.step + len(reply.actions)
            await run(reply_plan_rows.carry_on, plan, step, reply.rest)
        self._publish(plan_topic(game.slug, plan.role))
        return is_played

    async def close(self) -> None:
        """Wait for the replies that are being played."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)


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
