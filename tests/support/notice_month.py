"""A month of games by days in virtual time: people, a server that crashes, pushes and mails.

Nothing waits: the next event is a person's action, or the moment at which the server has something
to do. All that reaches people is noted with its time, for `tests/notices/test_month_of_days_games`.
"""

import heapq
import itertools
import smtplib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from django.db.models import Min

from accounts.models import User
from accounts.refusals import Refused
from games.core import OTHER, ROLES, Role
from notices import records
from notices.delivery import planning, push_queue
from notices.delivery.push_queue import Outcome, PushRequest
from notices.derive.game_notices import waiting_roles
from notices.derive.game_view import load_views, same_turn, turn_serial
from notices.derive.round import Memory, run_round
from notices.mail import sender
from notices.mail.message import message_id
from notices.models import TURN_KINDS, Channel, Notice, Post, Preferences
from notices.preferences import preferences
from play.domain import commands, holidays
from play.domain.clocks import FLAG_DELAY_MS, SECOND_MS, Clock
from play.models import Game, Seat
from play.runtime.game_commands import open_game
from play.storage.holiday_rows import other_games, read_starts
from tests.support.stored_games import commit_command, load_game

MINUTE_MS = 60 * SECOND_MS
QUANTUM_MS = 10 * MINUTE_MS  # the server works at such moments
STAGES = ("sweep", "derive", "plan", "claim", "store", "mail")
CRASHES = 0.12  # part of the server's rounds in which a process dies
MAX_STATEMENT = 25  # at which it dies
PUSH_FAILS, PUSH_HANGS, MAIL_FAILS = 0.3, 0.05, 0.1


class Crash(BaseException):
    """The process has died."""


class CrashAt:
    """Executes statements up to a number, and dies at it: its transaction is rolled back."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise Crash
        return execute(sql, params, many, context)


class VirtualClock:
    """A clock that stands until it is set."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


class FlakyMail(EmailBackend):
    """A mail server that takes no mail now and then."""

    rng = Random(0)

    def send_messages(self, messages: Any) -> int:
        if self.rng.random() < MAIL_FAILS:
            raise smtplib.SMTPServerDisconnected("the server went away")
        return super().send_messages(messages)


@dataclass
class Person:
    """A player with a mean time for turns and a period of days away."""

    user: User
    pause_ms: float  # mean, before a turn
    away: tuple[int, int]
    reads_bell: bool


@dataclass(frozen=True)
class Told:
    """Something that a person was shown."""

    at: int
    user: int
    way: str  # bell, push, mail
    place: int  # device; 0 for others
    notices: tuple[int, ...]
    key: str  # tag or Message-ID
    is_stale: bool = False  # the turn had been made


@dataclass(frozen=True)
class Fall:
    """A flag that fell."""

    user: int
    slug: str
    serial: int
    deadline: int
    moment: int  # when the step began


@dataclass
class Month:
    """The site, its people and what they were told."""

    people: Sequence[Person]
    clock: VirtualClock
    rng: Random
    events: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    falls: list[Fall] = field(default_factory=list)
    looks: list[tuple[int, int, str]] = field(default_factory=list)  # at, user, slug
    tried: dict[int, dict[int, int]] = field(default_factory=dict)  # first tries, user: carrier: at
    unsure: Counter[tuple[int, int]] = field(default_factory=Counter)  # device, notice: unstored
    crashes: Counter[str] = field(default_factory=Counter)
    memory: Memory = field(default_factory=Memory)
    early: list[int] = field(default_factory=list)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _outbox: int = 0

    @property
    def process(self) -> str:
        return f"process-{sum(self.crashes.values())}"

    # People

    def at(self, moment: int, event: Callable[[], None]) -> None:
        heapq.heappush(self.events, (int(moment), next(self._numbers), event))

    def open(self, white: Person, black: Person, key: str, clock: Clock) -> None:
        with transaction.atomic():
            users: dict[Role, User] = {"white": white.user, "black": black.user}
            game = open_game(key, clock, users, False)
        self._await_turns(game.slug, {"white": white, "black": black})

    def _await_turns(self, slug: str, seats: dict[Role, Person]) -> None:
        live = load_game(slug)
        if live.ending:
            return
        for role in ROLES:
            person, after = seats[role], self.rng.expovariate(1 / seats[role].pause_ms)
            is_asked = any(offer.by == OTHER[role] for offer in live.offers.values())
            if role not in live.waiting and not is_asked:
                continue
            moment = self.clock.at + 5 * SECOND_MS + int(after)
            if person.away[0] <= moment < person.away[1]:
                moment = person.away[1] + int(after)
            rev = live.rev
            self.at(moment, partial(self._come, slug, seats, role, rev))

    def _come(self, slug: str, seats: dict[Role, Person], role: Role, rev: int) -> None:
        """A person looks at a game, unless it has changed meanwhile, and does something."""
        live, at, rng = load_game(slug), self.clock.at, self.rng
        if live.ending or role not in live.waiting | {o.by for o in live.offers.values()} | {
            OTHER[o.by] for o in live.offers.values()
        }:
            return
        if live.rev != rev and not (role in live.waiting and live.rules.is_simultaneous):
            return
        person = seats[role]
        Seat.objects.filter(game=live.id, role=role).update(seen=at, visible=at)
        self.looks.append((at, person.user.pk, slug))
        if person.reads_bell and rng.random() < 0.5:
            self._read_bell(person)
        with suppress(Refused):
            self._act(slug, person, role)
        self._await_turns(slug, seats)

    def _act(self, slug: str, person: Person, role: Role) -> None:
        live, rng = load_game(slug), self.rng
        for what, offer in live.offers.items():
            if offer.by != role:
                command = {"draw": commands.Draw, "takeback": commands.Takeback}[what]
                agrees = rng.random() < (0.2 if what == "draw" else 0.7)
                self._do(slug, command(self._id(), "accept" if agrees else "decline"), person)
                return
        for paused in holidays.pausable_roles(live) if live.clock.kind == "bank" else ():
            key = (live.people[paused].user, live.times.since)
            if holidays.find_uncounted(live, paused, read_starts([key])[key], self.clock.at):
                self._do(slug, commands.Holiday(slug, self.clock.at))
                break
        turns = live.rules.turns(live.state)
        while role in live.waiting and live.rules.turns(live.state) == turns:
            action = rng.choice(list(live.rules.choices(live.state, role)))
            self._do(slug, commands.Act(self._id(), live.step, (str(action),)), person)
            live = load_game(slug)
        chance = rng.random()
        if live.ending or chance > 0.13:
            return
        if chance < 0.01:
            self._do(slug, commands.Resign(self._id()), person)
        else:
            kind = commands.Draw if chance < 0.05 else commands.Takeback
            self._do(slug, kind(self._id(), "offer"), person)

    def _read_bell(self, person: Person) -> None:
        user, at = person.user.pk, self.clock.at
        rows = Notice.objects.of(user).shown(at).unread()
        found = tuple(rows.values_list("pk", flat=True))
        self.told.append(Told(at, user, "bell", 0, found, ""))
        records.mark_read(user, None, at)

    def _id(self) -> str:
        return f"id-{next(self._numbers)}"

    def _do(self, slug: str, command: Any, person: Person | None = None) -> None:
        if person is not None:
            command = commands.Envelope(slug, person.user.pk, self.clock.at, command)
        commit_command(slug, command)

    # The server

    def run(self, until: int) -> None:
        """Let people and the server act until a time."""
        while (moment := self._next_moment()) <= until:
            self.clock.at = max(self.clock.at, moment)
            while self.events and self.events[0][0] <= self.clock.at:
                heapq.heappop(self.events)[2]()
            self.serve()

    def _next_moment(self) -> int:
        """Return when the server works next: at a minute by which something has happened."""
        moments = [
            self.events[0][0] if self.events else None,
            self.early[0] if self.early else None,
        ]
        live = Game.objects.filter(ended=None)
        fall = live.aggregate(first=Min("deadline"))["first"]
        moments.append(None if fall is None else fall + FLAG_DELAY_MS)
        moments.append(Post.objects.waiting().aggregate(first=Min("due"))["first"])
        open_notices = Notice.objects.filter(is_planned=False, closed=None)
        moments.append(open_notices.aggregate(first=Min("due"))["first"])
        first = min((each for each in moments if each is not None), default=10**18)
        following = self.clock.at // QUANTUM_MS + 1
        return max(following, -(-first // QUANTUM_MS)) * QUANTUM_MS

    def serve(self) -> None:
        """Do all that is due; now and then a process dies in it, and another goes on later."""
        at = self.clock.at
        while self.early and self.early[0] <= at:
            heapq.heappop(self.early)
        dies_in = self.rng.choice(STAGES) if self.rng.random() < CRASHES else ""
        stages = {"sweep": self._sweep, "derive": self._derive, "plan": self._plan}
        try:
            for stage, work in stages.items():
                self._stage(stage, dies_in, work)
            while requests := self._stage("claim", dies_in, lambda: push_queue.claim(at, 128)):
                outcomes = [self._post(request) for request in requests]
                self._stage("store", dies_in, partial(self._store, outcomes))
            self._stage("mail", dies_in, self._mail)
        except Crash:
            self.memory = Memory()
            self.at(at + QUANTUM_MS, lambda: None)
        self._note_mails()

    def _stage(self, stage: str, dies_in: str, work: Callable[[], Any]) -> Any:
        if stage != dies_in:
            return work()
        try:
            with connection.execute_wrapper(CrashAt(self.rng.randint(1, MAX_STATEMENT))):
                return work()
        except Crash:
            self.crashes[stage] += 1
            raise

    def _sweep(self) -> None:
        at = self.clock.at
        due = Game.objects.filter(ended=None, deadline__lte=at - FLAG_DELAY_MS)
        for game in due.order_by("deadline"):
            with suppress(Refused):
                view = load_views([game.pk])[game.pk]
                self._do(game.slug, commands.Flag(game.slug, at))
                self._note_fall(game, view)
            for other in other_games(game.slug, at):
                with suppress(Refused):
                    self._do(other, commands.Holiday(other, at))

    def _note_fall(self, game: Game, view: Any) -> None:
        ended = Game.objects.get(pk=game.pk)
        if ended.ended is None or game.deadline is None:
            return
        serial = turn_serial(view.takebacks, view.turns)
        for role in waiting_roles(view):
            if view.times.deadline_of(role) == game.deadline:
                user = view.seats[role].user
                self.falls.append(Fall(user, game.slug, serial, game.deadline, view.moment))

    def _derive(self) -> None:
        while run_round(self.process, self.clock.at, self.memory) == 0.0:
            continue

    def _plan(self) -> None:
        while planning.plan(self.clock.at, True) == planning.BATCH_NOTICES:
            continue
        planning.plan_early(self.clock.at, True)

    def _post(self, request: PushRequest) -> Outcome:
        """Answer a push as a service that fails and hangs; note what the device shows."""
        at, chance = self.clock.at, self.rng.random()
        posts = Post.objects.filter(pk__in=[pk for pk, _ in request.posts]).select_related("notice")
        notices = [post.notice for post in posts]
        self.tried.setdefault(request.user, {}).setdefault(
            Post.objects.get(pk=request.posts[0][0]).notice_id, at
        )
        if chance < PUSH_FAILS:
            return Outcome(request, 503)
        is_stale = any(self._is_over(notice) for notice in notices)
        keys = tuple(notice.pk for notice in notices)
        self.told.append(
            Told(at, request.user, "push", request.device, keys, request.topic, is_stale)
        )
        for key in keys:  # until the end is stored, the process may die and repeat it
            self.unsure[request.device, key] += 1
        return Outcome(request, 0 if chance < PUSH_FAILS + PUSH_HANGS else 201)

    def _store(self, outcomes: Sequence[Outcome]) -> None:
        push_queue.store(outcomes, self.clock.at, self.rng.random())
        for outcome in outcomes:
            if outcome.status == 201:
                for post, _ in outcome.request.posts:
                    notice = Post.objects.get(pk=post).notice_id
                    self.unsure[outcome.request.device, notice] -= 1

    def _mail(self) -> None:
        sender.send_due(self.process, self.clock.at)

    def _note_mails(self) -> None:
        """Note the mails that were taken since the last call, also by a process that died."""
        fresh, self._outbox = mail.outbox[self._outbox :], len(mail.outbox)
        if not fresh:
            return
        posts = Post.objects.filter(channel=Channel.MAIL).exclude(tries=0)
        first_posts = {message_id(pk): pk for pk in posts.values_list("pk", flat=True)}
        for message in fresh:
            key = message.extra_headers["Message-ID"]
            first = Post.objects.select_related("notice").get(pk=first_posts[key])
            same = posts.filter(due=first.due, notice__user=first.notice.user_id)
            shown = same.exclude(state=Post.State.WITHDRAWN).select_related("notice")
            notices = [post.notice for post in shown]
            is_stale = any(self._is_over(notice) for notice in notices)
            keys = tuple(notice.pk for notice in notices)
            user = first.notice.user_id
            self.told.append(Told(self.clock.at, user, "mail", 0, keys, key, is_stale))

    def _is_over(self, notice: Notice) -> bool:
        """Return whether the turn that a notice is about has been made, in the game itself."""
        if notice.kind not in TURN_KINDS:
            return False
        pk = Game.objects.get(slug=notice.subject).pk
        view = load_views([pk])[pk]
        roles = [role for role in waiting_roles(view) if view.seats[role].user == notice.user_id]
        return not roles or not same_turn(notice.serial, turn_serial(view.takebacks, view.turns))


def quiet_borders(people: Sequence[Person], start: int, days: int) -> list[int]:
    """Return moments shortly before quiet hours of people, at which warnings may leave early."""
    found = set()
    for prefs in Preferences.objects.filter(
        user__in=[each.user for each in people], quiet_from__isnull=False
    ):
        for quarter in range(4 * 24 * days):
            moment = start + quarter * 15 * MINUTE_MS
            later = moment + 15 * MINUTE_MS
            if preferences.quiet_until(prefs, moment) is None and preferences.quiet_until(
                prefs, later
            ):
                found.add(moment)
    return sorted(found)
