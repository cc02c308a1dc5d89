"""Openings of ended public games are counted once, by group, and a rebuild counts the same."""

import itertools
from random import Random

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.people.computer_users import computer
from analysis.explorer import counting
from analysis.explorer.counting import (
    GAMES_A_ROUND,
    begin_rebuild,
    count_ended_games,
    count_games,
    pending_games,
    read_openings,
)
from analysis.explorer.groups import BANDS, GROUPS, group_of
from analysis.explorer.models import OpeningGame, OpeningTurn
from analysis.explorer.opening_check import check_counts, count_all
from games.catalogue import rules_of
from play.domain import commands
from play.models import Game, Seat
from play.time_controls import NO_CLOCK
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import someone
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
ids = (f"explorer-{n}" for n in itertools.count())
COLUMNS = ("position", "group", "turn", "white", "draws", "black", "last_game")


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob")


def played(white, black, winner="white", key="pincer", turns=4, public=True, seed=0) -> TimedGame:
    """A game of some random turns, which the loser resigns; without a winner it is drawn."""
    game = TimedGame(white, black, key, NO_CLOCK, public)
    for turn in range(turns):
        game.turn(("white", "black")[turn % 2], seed=seed + turn)
    if winner:
        game.resign("black" if winner == "white" else "white")
    else:
        game.ask("draw", "offer", "white")
        game.ask("draw", "accept", "black")
    return game


def all_rows() -> list[tuple]:
    return sorted(OpeningTurn.objects.values_list(*COLUMNS))


def test_a_game_is_counted_by_its_group_and_among_all_games(people) -> None:
    game = played(*people)
    assert [each.slug for each in count_ended_games()] == [game.slug]
    rows = OpeningTurn.objects.all()
    assert {row.group for row in rows} == {"unrated", "everyone"}
    assert rows.filter(group="everyone").count() == 4
    assert {(row.white, row.draws, row.black, row.last_game) for row in rows} == {
        (1, 0, 0, game.game.pk)
    }
    assert count_ended_games() == []


def test_results_of_equal_games_add_up(people) -> None:
    for winner in ("white", "black", "black", ""):
        game = played(*people, winner)
    count_ended_games()
    for row in OpeningTurn.objects.all():
        assert (row.white, row.draws, row.black) == (1, 1, 2)
        assert row.last_game == game.game.pk


def test_only_ended_public_games_with_a_turn_of_both_count(people) -> None:
    ada, bob = people
    running = TimedGame(ada, bob, "pincer", NO_CLOCK, True)
    running.turn("white")
    running.turn("black")
    played(ada, bob, public=False)
    played(computer(3), computer(4))
    aborted = TimedGame(ada, bob, "pincer", NO_CLOCK, True)
    aborted.do(commands.Abort(next(ids)), "white")
    TimedGame(ada, bob, "blotto", NO_CLOCK, True).resign("white")
    assert pending_games() == []
    short = played(ada, bob, turns=1)
    count_ended_games()
    assert OpeningTurn.objects.count() == 0
    assert OpeningGame.objects.get().game.slug == short.slug
    assert pending_games() == []  # it is not examined again
    running.resign("black")
    count_ended_games()
    assert OpeningTurn.objects.filter(group="everyone").count() == 2


def test_a_person_against_himself_does_not_count(people) -> None:
    game = played(*people)
    Seat.objects.filter(game=game.game.pk).update(user=people[0])
    count_ended_games()
    assert OpeningTurn.objects.count() == 0


def test_turns_that_were_taken_back_do_not_count(people) -> None:
    game = TimedGame(*people, "amazons-8x8", NO_CLOCK, True)
    game.turn("white", seed=1)
    game.turn("black", seed=2)
    game.ask("takeback", "offer", "black")
    game.ask("takeback", "accept", "white")
    game.turn("black", seed=3)
    game.resign("white")
    count_ended_games()
    assert OpeningTurn.objects.filter(group="everyone").count() == 2
    assert check_counts().games == 1


def test_games_against_a_level_and_of_rated_people_have_their_groups(people) -> None:
    ada, bob = people
    played(ada, computer(5))
    count_ended_games()
    assert {row.group for row in OpeningTurn.objects.all()} == {"level-5", "everyone"}
    OpeningTurn.objects.all().delete()
    rated_game(ada, bob)
    apply_all()
    count_ended_games()
    groups = {row.group for row in OpeningTurn.objects.all()}
    assert len(groups) == 2 and "everyone" in groups
    assert (groups - {"everyone"}).pop() in BANDS


@pytest.mark.parametrize(
    ("level", "ratings", "group"),
    [
        (3, [None, None], "level-3"),
        (None, [None, 1500], "unrated"),
        (None, [1399, 1400], "rated-1200"),
        (None, [1400, 1400], "rated-1400"),
        (None, [-50, -50], "rated-0"),
        (None, [2900, 2500], "rated-2000"),
    ],
)
def test_the_group_of_a_game(level, ratings, group) -> None:
    assert group_of(level, ratings) == group
    assert group in GROUPS


def test_mirrored_games_are_counted_together(people) -> None:
    def mirrored(turn: str) -> str:
        word, *numbers = turn.split()
        flipped = [str(9 - int(n)) if place % 2 == 0 else n for place, n in enumerate(numbers)]
        return " ".join([word, *flipped])

    turns = [["move 3 1 3 5", "fire 5 5"], ["move 3 8 3 6", "fire 2 6"]]
    for image in (str, mirrored):
        game = TimedGame(*people, "amazons-8x8", NO_CLOCK, True)
        for role, turn in zip(("white", "black"), turns, strict=True):
            for action in turn:
                step = Game.objects.get(pk=game.game.pk).step
                game.do(commands.Act(next(ids), step, (image(action),)), role)
        game.resign("black")
    count_ended_games()
    rows = OpeningTurn.objects.filter(group="everyone")
    assert [(row.turn, row.white) for row in rows.order_by("turn")] == [
        ("c1-c5/e5", 2),
        (rows.exclude(turn="c1-c5/e5").get().turn, 2),
    ]


def test_a_game_that_two_processes_found_is_counted_once(people) -> None:
    played(*people)
    openings = read_openings(pending_games())
    assert len(count_games(openings)) == 1
    rows = all_rows()
    assert count_games(openings) == []
    assert all_rows() == rows


def test_a_process_that_dies_within_the_count_has_counted_nothing(people, monkeypatch) -> None:
    played(*people)

    def die(rows) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(counting, "add_rows", die)
        with pytest.raises(KeyboardInterrupt):
            count_ended_games()
    assert (OpeningGame.objects.count(), OpeningTurn.objects.count()) == (0, 0)
    count_ended_games()
    assert check_counts().games == 1


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 10**6))
def test_a_rebuild_counts_what_was_counted_game_by_game(people, seed) -> None:
    rng = Random(seed)
    key = rng.choice(("amazons", "amazons-8x8", "pincer"))
    for _ in range(rng.randrange(1, 5)):
        winner = rng.choice(("white", "black", ""))
        seats = rng.sample([*people, computer(2)], 2)
        played(*seats, winner or "white", key, rng.randrange(1, 6), seed=rng.randrange(3))
        if rng.random() < 0.7:
            count_ended_games()
    count_all()
    rows = all_rows()
    begin_rebuild()
    assert OpeningTurn.objects.count() == 0
    count_all()
    assert all_rows() == rows
    check_counts()


def test_a_rebuild_that_was_killed_is_finished_by_the_next(people) -> None:
    played(*people)
    played(*people, "black", seed=5)
    count_ended_games()
    rows = all_rows()
    begin_rebuild()  # and dies
    with pytest.raises(CommandError, match="has not ended yet"):
        call_command("explorer", check=True)
    count_all()
    assert all_rows() == rows
    call_command("explorer", check=True)


def test_a_rebuild_keeps_the_group_of_a_game(people) -> None:
    played(*people)
    count_ended_games()
    rated_game(*people, turns=1)  # both have a rating now
    apply_all()
    call_command("explorer", rebuild=True, check=True)
    assert {row.group for row in OpeningTurn.objects.all()} == {"unrated", "everyone"}


def test_the_check_names_a_count_that_differs(people) -> None:
    played(*people)
    count_ended_games()
    call_command("explorer", check=True)
    OpeningTurn.objects.filter(group="everyone").update(draws=7)
    with pytest.raises(CommandError, match=r"by everyone in position .* Run --rebuild"):
        call_command("explorer", check=True)
    call_command("explorer", rebuild=True)
    call_command("explorer", check=True)


def test_the_command_wants_to_be_told_what_to_do() -> None:
    with pytest.raises(CommandError, match="Say what to do"):
        call_command("explorer")


def test_a_long_backlog_is_worked_off(people, monkeypatch) -> None:
    monkeypatch.setattr(counting, "GAMES_A_ROUND", 3)
    assert GAMES_A_ROUND > 3
    for seed in range(7):
        played(*people, seed=seed, turns=2)
    assert count_all() == 7
    assert pending_games() == []
    assert check_counts().games == 7


def test_counts_stay_when_an_account_is_deleted(people) -> None:
    from accounts.account_service import delete_user

    played(*people)
    count_ended_games()
    rows = all_rows()
    delete_user(people[0].pk)
    call_command("explorer", rebuild=True, check=True)
    assert all_rows() == rows


def test_all_board_games_are_counted(people) -> None:
    for key in counting.BOARD_RULES:
        played(*people, key=key)
        assert rules_of(key).kind == "path"
    assert count_all() == len(counting.BOARD_RULES)
    assert check_counts().rows == 2 * 4 * len(counting.BOARD_RULES)


def test_somebody_without_an_account_counts_among_people() -> None:
    played(someone("guest-a"), someone("guest-b"))
    count_ended_games()
    assert OpeningTurn.objects.filter(group="unrated").exists()
