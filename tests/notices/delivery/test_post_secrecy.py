"""Pushes and mails tell nobody what is sealed or prepared: not by a byte, a moment or a log line.

The same game is played twice, everything alike but the secret, through all that a notice goes
through: derived, planned, claimed, written and sent.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games.catalogue import BLOTTO
from notices.delivery import planning, push_queue
from notices.derive.round import Memory, run_round
from notices.mail import sender
from notices.models import Channel, Kind, Post, Preferences
from play.domain import commands
from play.domain.clocks import DAY_MS, HOUR_MS, Clock
from play.models import Game, ReplyPlan
from tests.support.eavesdropping import Watch
from tests.support.notice_games import PROCESS, TWO_DAYS, TimedGame

pytestmark = pytest.mark.django_db
CLOCKS = [TWO_DAYS, Clock("bank", 4 * DAY_MS, DAY_MS), Clock("none")]
MINUTE_MS = 60_000
LOOKS_MS = (
    0, 21_000, 16 * MINUTE_MS, DAY_MS, DAY_MS + MINUTE_MS, 43 * HOUR_MS, 44 * HOUR_MS, 47 * HOUR_MS,
)  # fmt: skip
COLUMNS = ("channel", "state", "due", "expires", "tries", "first_try", "is_held", "sent", "error")
MESSAGE_ID = re.compile(r"<[0-9a-f]{32}@[^>]*>")  # a keyed hash of the key of a row
BOUNDARY = re.compile(r"={15}\d+==")  # drawn at random
ALL = {kind.value: ["bell", "push", "mail"] for kind in Kind}


class Undone(Exception):
    """Rolls a story back."""


@dataclass(frozen=True)
class Told:
    """The pushes and mails to one user, and the state of the user's posts at each look."""

    pushes: list[tuple]
    mails: list[tuple]
    posts: list[list[tuple]]
    logs: list[str]


@pytest.fixture
def tell(ada, bob, device_of, monkeypatch, caplog, settings) -> Callable:
    """Play a game from the same moment and dice; return the messages to each player."""
    settings.SENDS_MAIL = True
    # Mails of one batch leave 30 ms after each other; a batch begins at any moment of 2 s.
    monkeypatch.setattr(
        sender, "time", SimpleNamespace(monotonic=lambda: 0.0, sleep=lambda seconds: None)
    )
    watch = Watch(monkeypatch)
    for name in ("", "quiver"):
        caplog.set_level(logging.DEBUG, logger=name)
    people = {"ada": ada, "bob": bob}
    for name, user in people.items():
        user.email = f"{name}@example.org"
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        Preferences.objects.create(user=user, mail="at_once", channels=ALL)
        device_of(user)
        device_of(user, "two", language="tr")

    def tell(key: str, clock: Clock, play: Callable[[TimedGame], None], looks=LOOKS_MS):
        watch.begin(7)
        caplog.clear()
        mail.outbox.clear()
        heard = {name: Told([], [], [], []) for name in people}
        try:
            with transaction.atomic():
                _play(people, heard, key, clock, play, looks)
                raise Undone
        except Undone:
            return {name: replace(told, logs=lines_of(caplog)) for name, told in heard.items()}

    return tell


def _play(people, heard, key, clock, play, looks) -> None:
    memory = Memory()
    while run_round(PROCESS, 0, memory) == 0.0:
        pass
    game = TimedGame(people["ada"], people["bob"], key, clock, is_fair=False)
    play(game)
    for after in looks:
        at = game.start + after
        run_round(PROCESS, at, memory)
        planning.plan(at, True)
        requests = push_queue.claim(at, 100)
        push_queue.store([push_queue.Outcome(request, 201) for request in requests], at)
        before = len(mail.outbox)
        sender.send_due(PROCESS, at)
        for name, user in people.items():
            told = heard[name]
            told.pushes.extend(push_of(each, at) for each in requests if each.user == user.pk)
            new = [each for each in mail.outbox[before:] if each.to == [user.email]]
            told.mails.extend(mail_of(each, at) for each in new)
            rows = Post.objects.filter(notice__user=user).order_by("pk")
            told.posts.append(list(rows.values_list("notice__kind", "notice__serial", *COLUMNS)))


def push_of(request: push_queue.PushRequest, at: int) -> tuple:
    return (at, request.endpoint, request.payload, request.headers, request.expires, request.tries)


def mail_of(message, at: int) -> tuple:
    text = message.message().as_string()
    return (at, BOUNDARY.sub("a boundary", MESSAGE_ID.sub("an id", text)))


def lines_of(caplog) -> list[str]:
    """All lines of the log but those of Django's statements."""
    records = [each for each in caplog.records if not each.name.startswith("django.db")]
    return [f"{each.name} {each.levelname} {each.getMessage()}" for each in records]


def seal(*actions: tuple[int, str]) -> Callable[[TimedGame], None]:
    """Return a player: ada seals these troops at these times."""

    def play(game: TimedGame) -> None:
        for after, troops in actions:
            game.do(commands.Act(f"seal-{after}", game.row.step, (troops,)), "white", after)

    return play


def test_something_is_told(tell) -> None:
    told = tell("blotto", TWO_DAYS, seal())["bob"]
    assert len(told.pushes) == 2 * 3, "turn, half, last, on two devices"
    assert len(told.mails) >= 2
    kinds = {row[0] for row in told.posts[-1]}
    assert kinds == {Kind.TURN, Kind.HALF, Kind.LAST}
    assert {row[2] for row in told.posts[-1]} == {Channel.PUSH, Channel.MAIL}


@pytest.mark.slow
@given(
    clock=st.sampled_from(CLOCKS),
    troops=st.sampled_from([str(each) for each in BLOTTO.choices(BLOTTO.start(), "white")]),
    after=st.integers(0, 40 * HOUR_MS),
    looks=st.lists(st.integers(0, 47 * HOUR_MS), max_size=3),
)
@settings(
    max_examples=10,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_opponents_seal_changes_no_byte_and_no_moment_of_a_post(
    tell, clock, troops, after, looks
) -> None:
    # Looks before the seal see the same game anyway, so all of them come after it.
    times = sorted({*looks, *LOOKS_MS})
    later = [each for each in times if each >= after]
    sealed = tell("blotto", clock, seal((after, troops)), later)["bob"]
    open = tell("blotto", clock, seal(), later)["bob"]
    assert sealed == open


def test_what_is_sealed_changes_nothing_for_anybody(tell) -> None:
    one = tell("blotto", TWO_DAYS, seal((1_000, "troops 10 0 0")))
    other = tell("blotto", TWO_DAYS, seal((1_000, "troops 2 5 3")))
    assert one == other


def test_no_post_and_no_line_of_the_log_has_a_sealed_action(tell) -> None:
    told = tell("blotto", TWO_DAYS, seal((1_000, "troops 10 0 0")))
    assert "10 0 0" not in str(told)


LINES = '[[["move 1 5 2 5","move 1 7 1 6"],["move 7 7 6 7","move 7 5 6 5"]]]'


def with_plan(lines: str, plays: bool) -> Callable[[TimedGame], None]:
    """Return a player: black has conditional replies, or none; white may make another turn."""

    def play(game: TimedGame) -> None:
        if lines:
            row = Game.objects.get(slug=game.slug)
            ReplyPlan.objects.create(game=row, role="black", step=0, takebacks=0, lines=lines, at=1)
        if plays:
            game.turn("white", 60_000)

    return play


@pytest.mark.parametrize("plays", [False, True], ids=["waiting", "unexpected"])
@pytest.mark.parametrize("clock", CLOCKS, ids=["days", "bank", "none"])
def test_conditional_replies_that_wait_change_no_post(tell, clock, plays) -> None:
    some = tell("pincer", clock, with_plan(LINES, plays))
    none = tell("pincer", clock, with_plan("", plays))
    assert some == none
    assert some["ada"].pushes or some["bob"].pushes
    assert "move 7 7" not in str(some)
