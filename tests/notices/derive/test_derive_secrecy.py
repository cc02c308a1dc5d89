"""No notice to others depends on a sealed action: no row, number or time."""

from itertools import combinations

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notices.derive.round import Memory, run_round
from notices.models import Notice
from play.domain.clocks import DAY_MS, SECOND_MS, Clock
from play.models import Game
from tests.support.notice_games import PROCESS, TWO_DAYS, TimedGame

pytestmark = pytest.mark.django_db
CLOCKS = [TWO_DAYS, Clock("none"), Clock("fischer", 300 * SECOND_MS), Clock("limit", 8 * DAY_MS)]
COLUMNS = ("kind", "serial", "data", "created", "due", "expires", "read", "closed")


class Undone(Exception):
    """Rolls a story back."""


def story(ada, bob, clock, rounds, seal, at, looks) -> list[list[tuple]]:
    """The notices of bob after each round of a game of Blotto in which ada seals, or does not."""
    found: list[list[tuple]] = []
    try:
        with transaction.atomic():
            game, memory = TimedGame(ada, bob, "blotto", clock, is_fair=False), Memory()
            opened = Game.objects.get(pk=game.game.pk)
            for role, after, visible in looks:
                game.look(role, after, visible)
            if seal:
                game.turn("white", at)
            for after in rounds:
                run_round(PROCESS, opened.created + after, memory)
                rows = Notice.objects.filter(user=bob.pk, subject=game.slug)
                found.append([relative(row, game) for row in rows.order_by("kind", "serial")])
            raise Undone
    except Undone:
        return found


def relative(row: Notice, game: TimedGame) -> tuple:
    """A notice with times since the opening: two games open at different moments."""
    times = [
        None if value is None else value - game.start
        for value in (row.created, row.due, row.expires, row.read, row.closed)
    ]
    deadline = row.data["deadline"]
    data = {**row.data, "deadline": deadline and deadline - game.start}
    return (row.kind, row.serial, data, *times)


seconds = st.integers(0, 290).map(lambda count: count * SECOND_MS)


@pytest.mark.slow
@given(
    clock=st.sampled_from(CLOCKS),
    rounds=st.lists(seconds, min_size=1, max_size=5).map(sorted),
    at=seconds,
    looks=st.lists(st.tuples(st.just("black"), seconds, st.booleans()), max_size=2),
)
@example(  # black's page has gone when the game is looked at again, if it is
    clock=Clock("fischer", 300 * SECOND_MS),
    rounds=[0, 15 * SECOND_MS],
    at=0,
    looks=[("black", 0, False)],
)
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_opponents_seal_changes_no_notice_and_no_moment(
    ada, bob, clock, rounds, at, looks
) -> None:
    while run_round(PROCESS, 0, Memory()) == 0.0:
        pass
    later = [after for after in rounds if after >= at] or [at]
    sealed = story(ada, bob, clock, later, True, at, looks)
    waiting = story(ada, bob, clock, later, False, at, looks)
    assert sealed == waiting


@pytest.mark.parametrize("clock", CLOCKS[:2], ids=["days", "none"])
def test_a_seal_between_two_rounds_leaves_the_rows_of_the_other_as_they_are(
    ada, bob, clock
) -> None:
    memory = Memory()
    while run_round(PROCESS, 0, memory) == 0.0:
        pass
    game = TimedGame(ada, bob, "blotto", clock)
    game.round(SECOND_MS, memory)
    before = list(Notice.objects.filter(user=bob.pk).values())
    game.turn("white", 2 * SECOND_MS)
    for after in (3, 60, 3_600):
        game.round(after * SECOND_MS, memory)
        assert list(Notice.objects.filter(user=bob.pk).values()) == before


def test_an_absent_player_is_not_told_of_a_running_round_by_a_seal(ada, bob) -> None:
    memory = Memory()
    while run_round(PROCESS, 0, memory) == 0.0:
        pass
    game = TimedGame(ada, bob, "blotto", CLOCKS[2], is_fair=False)
    game.look("black", SECOND_MS)
    game.round(6 * SECOND_MS, memory)
    assert game.told("black") == []
    game.turn("white", 60 * SECOND_MS)  # bob has left meanwhile
    game.round(61 * SECOND_MS, memory)
    assert game.told("black") == []


def test_notices_hold_no_action_and_no_commitment(ada, bob) -> None:
    game = TimedGame(ada, bob, "blotto")
    game.turn("white", SECOND_MS)
    game.round(2 * SECOND_MS)
    with connection.cursor() as cursor:
        cursor.execute("SELECT action, salt FROM play_sealed")
        secrets = [text for row in cursor.fetchall() for text in row]
    texts = [str(row) for row in Notice.objects.values()]
    assert secrets
    assert not [pair for pair in ((s, t) for s in secrets for t in texts) if pair[0] in pair[1]]


def test_serials_of_two_turns_differ() -> None:
    from notices.derive.game_view import same_turn, turn_serial

    turns = [turn_serial(takebacks, number) for takebacks in range(3) for number in range(4)]
    assert turns == sorted(turns)
    assert not [pair for pair in combinations(turns, 2) if same_turn(*pair)]
