"""Notices, and games at chosen times, played without a server, of which rounds derive notices."""

import itertools
from random import Random

from django.db import transaction

from accounts.models import User
from games.core import ROLES, Role
from notices.derive.round import Memory, run_round
from notices.models import Kind, Notice
from notices.records import Batch, Draft, write
from play.domain import commands
from play.domain.clocks import DAY_MS, PLAIN_START, Clock, now
from play.models import Game, Seat
from play.runtime.game_commands import open_game
from tests.support.stored_games import commit_command, load_game

TWO_DAYS = Clock("days", 2 * DAY_MS)
PROCESS = "test"
ROUNDS = 16  # after which every poll has run
ids = (f"notice-{n}" for n in itertools.count())


def record_notice(
    user_id: int, kind: Kind, subject: str, serial=0, *, data, at=None, due=None
) -> bool:
    """Record one notice, due at once unless told otherwise (epoch ms); return whether it is new."""
    at = now() if at is None else at
    draft = Draft(user_id, kind, subject, serial, data, at, at if due is None else due)
    return bool(write(Batch(drafts=[draft]), at))


class TimedGame:
    """A game between two users whose commands come at chosen times (ms after its opening)."""

    def __init__(
        self,
        white,
        black,
        key="pincer",
        clock=TWO_DAYS,
        public=False,
        watch=True,
        lobby="",
        is_fair=True,
        is_rated=False,
    ) -> None:
        self.users: dict[Role, User] = {"white": white, "black": black}
        with transaction.atomic():
            terms = None if is_fair else PLAIN_START
            self.game = open_game(
                key, clock, self.users, public, lobby, watch, terms, rated=is_rated
            )
        self.slug, self.start = self.game.slug, self.game.created

    @classmethod
    def of(cls, game: Game) -> "TimedGame":
        """Return a game that was opened elsewhere."""
        made = cls.__new__(cls)
        users = {seat.role: seat.user for seat in game.seats.select_related("user")}
        made.users = {role: users[role] for role in ROLES}
        made.game, made.slug, made.start = game, game.slug, game.created
        return made

    def do(self, command, role=None, after=0):
        """Perform a command of a role, or one of the server."""
        at = self.start + after
        if role is not None:
            command = commands.Envelope(self.slug, self.users[role].pk, at, command)
        commit_command(self.slug, command)

    def turn(self, role, after=0, seed=1) -> None:
        """Make a whole random turn of a role."""
        rng, live = Random(seed), load_game(self.slug)
        turns = live.rules.turns(live.state)
        while role in live.waiting and live.rules.turns(live.state) == turns:
            action = rng.choice(list(live.rules.choices(live.state, role)))
            self.do(commands.Act(next(ids), live.step, (str(action),)), role, after)
            live = load_game(self.slug)

    def ask(self, kind, do, role, after=0) -> None:
        """Offer, accept, decline or withdraw a draw or a takeback."""
        command = {"draw": commands.Draw, "takeback": commands.Takeback}[kind]
        self.do(command(next(ids), do), role, after)

    def resign(self, role, after=0) -> None:
        self.do(commands.Resign(next(ids)), role, after)

    def look(self, role, after, visible=True) -> None:
        """Note that a page of a seat was open at a time, and whether it was visible."""
        at = self.start + after
        seat = Seat.objects.filter(game=self.game.pk, role=role)
        seat.update(seen=at, **({"visible": at} if visible else {}))

    def round(self, after=0, memory=None) -> None:
        """Derive until nothing is left, in a fresh process unless a memory is given."""
        settled(self.start + after, memory)

    def told(self, role, kind=None, only_open=False):
        """The notices of a role, oldest first."""
        rows = Notice.objects.filter(user=self.users[role]).order_by("created", "pk")
        rows = rows.filter(kind=kind) if kind else rows
        return list(rows.filter(closed=None) if only_open else rows)

    @property
    def row(self) -> Game:
        return Game.objects.get(pk=self.game.pk)


def settled(at=None, memory=None) -> None:
    """Run rounds until all entries are handled and every poll has run."""
    memory, at = memory or Memory(), now() if at is None else at
    while run_round(PROCESS, at, memory) == 0.0:
        pass
    for _ in range(ROUNDS):
        assert run_round(PROCESS, at, memory) is not None


def rows_without_ids():
    """All notices, as comparable rows."""
    columns = (
        "user", "kind", "subject", "serial", "data", "created", "due", "expires", "read", "closed",
    )  # fmt: skip
    rows = Notice.objects.order_by("user", "kind", "subject", "serial")
    return list(rows.values_list(*columns))
