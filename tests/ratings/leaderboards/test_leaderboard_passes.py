"""Passes: which people are on leaderboards, and what processes and new generations do to a pass."""

import threading
from collections import Counter, defaultdict

import pytest
from django.db import connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import account_service
from accounts.models import User
from games.rating.pools import Pool, Speed
from games.rating.standing import DAY_MS
from play.domain.clocks import SECOND_MS, now
from play.storage import leases
from ratings.leaderboards import leaderboard_pass
from ratings.leaderboards.leaderboard_pass import (
    INTERVAL_MS,
    MIN_INTERVAL_MS,
    LeaderboardTask,
    current_pass,
    is_due,
    make_pass,
)
from ratings.leaderboards.own_place import OwnPlace, own_place
from ratings.models import (
    CombinedRow,
    Generation,
    LeaderboardPass,
    LeaderboardRow,
    RatedGame,
    Standing,
)
from ratings.rules.generations import correct, rebuild
from tests.ratings.leaderboards.rated_pools import (
    AT,
    PINCER,
    Played,
    append_log,
    fold_log,
    made,
    person_of,
    round_robin,
)
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
SLOW_BLOTTO = Pool("blotto", Speed.DAYS)


def names(pool: Pool = PINCER) -> list[str]:
    """The people on a leaderboard of the current pass, best first."""
    rows = LeaderboardRow.objects.filter(
        leaderboard_pass=current_pass(), rules=pool.rules, speed=pool.speed
    ).order_by("position")
    return list(rows.values_list("person__user__username", flat=True))


@pytest.fixture
def four(db) -> list[User]:
    return create_accounts("ada", "bob", "cyn", "dan")


def test_games_that_were_played_make_a_board() -> None:
    people = create_accounts("ada", "bob", "cyn", "dan")
    for each in round_robin():
        rated_game(people[each.white], people[each.black], each.winner)
    apply_all()
    made(now())
    assert names() == ["ada", "bob", "cyn", "dan"]
    row = LeaderboardRow.objects.get(position=1)
    assert (row.games, row.opponents, row.place) == (6, 3, 1)


def test_four_games_or_two_opponents_do_not_suffice(four) -> None:
    met = [Played(1, 2), Played(2, 3)]  # all have met somebody else too
    fold_log(four, [*met, Played(0, 1), Played(0, 2), Played(0, 3), Played(0, 3)])
    made()
    assert names() == []
    fold_log(four, [Played(0, 2)])
    made()
    assert names() == ["ada"]
    fold_log(four, [Played(1, 2) for _ in range(3)])
    made()
    assert names() == ["ada", "cyn"]  # bob has five games against two


def test_opponents_who_have_met_nobody_else_put_nobody_on_a_board(four) -> None:
    """As accounts made only to lose."""
    fold_log(four, [Played(0, other) for other in (1, 2, 3)] * 2)
    shown = made()
    assert names() == []
    assert own_place(four[0].pk, PINCER, shown, AT) == OwnPlace(6, 0)
    fold_log(four, [Played(1, 2)])
    shown = made()
    assert own_place(four[0].pk, PINCER, shown, AT) == OwnPlace(6, 2)
    fold_log(four, [Played(3, 2)])
    shown = made()
    assert names() == ["ada"]
    assert own_place(four[0].pk, PINCER, shown, AT).is_eligible


def test_games_of_other_pools_do_not_add_up(four) -> None:
    fold_log(four, [*round_robin(rounds=1), *round_robin(rounds=1, pool=SLOW_BLOTTO)])
    made()
    assert names() == names(SLOW_BLOTTO) == []


def test_whoever_has_not_played_for_90_days_leaves(four) -> None:
    fold_log(four, round_robin(days_ago=10))
    made()
    assert len(names()) == 4
    made(AT + 80 * DAY_MS - 1)
    assert len(names()) == 4
    made(AT + 80 * DAY_MS)
    assert names() == []


def test_only_games_that_count_make_one_eligible(four) -> None:
    slugs = fold_log(four, [*round_robin(), *[Played(0, 1, not_rated="aborted")] * 3])
    made()
    assert LeaderboardRow.objects.get(position=1).games == 6
    correct([slugs[0], slugs[1]], True, "unfair", "test")
    made()
    assert "ada" not in names()
    correct(slugs[:1], False, "by mistake", "test")
    made()
    assert "ada" in names()


def test_suspended_and_deleted_people_leave(four) -> None:
    fold_log(four, round_robin())
    account_service.suspend(four[0].pk)
    account_service.delete_user(four[1].pk)
    made()
    assert names() == ["cyn", "dan"]
    account_service.restore(four[0].pk)
    made()
    assert names() == ["ada", "cyn", "dan"]


POOLS_PLAYED = (PINCER, SLOW_BLOTTO)
LOGS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(1, 4),
        st.sampled_from(["white", "black", ""]),
        st.sampled_from([0.0, 6.9, 7.0, 30.0, 89.9, 90.0, 120.0, -1.0]),
        st.sampled_from(POOLS_PLAYED),
        st.sampled_from(["", "", "", "aborted"]),
    ),
    min_size=12,
    max_size=60,
)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(LOGS)
def test_a_pass_equals_a_count_of_all_games(db, drawn) -> None:
    with transaction.atomic():
        people = create_accounts(*"abcde")
        games = [Played(white, (white + shift) % 5, *rest) for white, shift, *rest in drawn]
        fold_log(people, games)
        made(AT - 50 * DAY_MS)  # another one before, whose first entry is remembered
        new = made()
        found = {
            (row.rules, row.speed, row.person_id): (row.games, row.opponents, row.week_change)
            for row in LeaderboardRow.objects.filter(leaderboard_pass=new)
        }
        assert found == counted(people, games)
        transaction.set_rollback(True)


def counted(people, games) -> dict[tuple[str, str, int], tuple[int, int, int | None]]:
    """Games, opponents and change of all who are eligible, counted one game after the other."""
    opponents, weeks, all_games = defaultdict(list), defaultdict(list), Counter()
    for seq, each in enumerate(games, 1):
        if each.not_rated:
            continue
        for own, other, side in (
            (each.white, each.black, "white"),
            (each.black, each.white, "black"),
        ):
            key = (each.pool.rules, each.pool.speed.value, person_of(people[own]))
            all_games[key] += 1
            if each.days_ago < 90:
                opponents[key].append(other)
            if each.days_ago < 7:
                weeks[key].append((seq, side))
    result = {}
    for key, others in opponents.items():
        rules, speed, person = key
        met = {
            each
            for each in others
            if len(set(opponents[rules, speed, person_of(people[each])])) > 1
        }
        if len(others) < 5 or len(met) < 3:
            continue
        standing = Standing.objects.current().get(rules=rules, speed=speed, person=person)
        change: int | None = 0
        if all_games[key] - len(weeks[key]) < 5:
            change = None
        elif weeks[key]:
            seq, side = weeks[key][0]
            row = RatedGame.objects.get(generation=standing.generation_id, entry=seq)
            change = standing.rating - getattr(row, f"{side}_rating_before")
        result[key] = (len(others), len(met), change)
    return result


def test_a_pass_replaces_the_former_one_whole(four) -> None:
    fold_log(four, round_robin())
    first = made()
    second = made(AT + INTERVAL_MS)
    states = dict(LeaderboardPass.objects.values_list("number", "state"))
    assert states == {first.pk: "old", second.pk: "current"}  # a page may still read the old one
    third = made(AT + 2 * INTERVAL_MS)
    assert set(LeaderboardPass.objects.values_list("number", flat=True)) == {second.pk, third.pk}
    assert set(LeaderboardRow.objects.values_list("leaderboard_pass", flat=True)) == {
        second.pk,
        third.pk,
    }
    assert set(CombinedRow.objects.values_list("leaderboard_pass", flat=True)) == {
        second.pk,
        third.pk,
    }
    assert third.took_ms >= 0


def test_a_process_that_died_leaves_nothing(four, monkeypatch) -> None:
    fold_log(four, round_robin())
    first = made()

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(leaderboard_pass, "_finish", die)
        make_pass("one", AT)
    assert current_pass() == first
    assert LeaderboardPass.objects.count() == 2
    second = made(AT + 1, "two")
    assert set(LeaderboardPass.objects.values_list("number", flat=True)) == {first.pk, second.pk}


def test_a_process_without_the_lease_changes_nothing(four) -> None:
    fold_log(four, round_robin())
    first = made()
    assert leases.take(leaderboard_pass.LEASE, "other", now(), 60 * SECOND_MS)
    assert make_pass("one", AT) is None
    assert current_pass() == first
    assert LeaderboardPass.objects.count() == 1


def test_a_process_that_is_overtaken_gives_up(four, monkeypatch) -> None:
    """The lease of a process that hangs runs out, and another one makes a pass."""
    fold_log(four, round_robin())
    finish, others = leaderboard_pass._finish, []

    def overtaken(new: LeaderboardPass, took_ms: int) -> bool:
        if not others:
            others.append(new)
            leases.give_back(leaderboard_pass.LEASE, "slow")
            others.append(made(AT + 1, "fast"))
        return finish(new, took_ms)

    monkeypatch.setattr(leaderboard_pass, "_finish", overtaken)
    assert make_pass("slow", AT) is None
    assert current_pass() == others[1]
    assert len(names()) == 4


def test_a_generation_that_comes_meanwhile_makes_the_pass_void(four, monkeypatch) -> None:
    slugs = fold_log(four, round_robin())
    first, read = made(), leaderboard_pass.read_candidates

    def read_then_correct(*args):
        found = list(read(*args))
        correct(slugs[:2], True, "unfair", "test")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(leaderboard_pass, "read_candidates", read_then_correct)
        assert make_pass("test", AT) is None
    assert current_pass() == first
    assert is_due(AT)
    assert made().generation == Generation.objects.get(is_current=True)
    assert "ada" not in names()


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_leave_one_whole_pass() -> None:
    fold_log(create_accounts("ada", "bob", "cyn", "dan"), round_robin())
    found: list[LeaderboardPass | None] = []

    def work(process: str) -> None:
        try:
            found.extend(make_pass(process, AT) for _ in range(5))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(f"process-{n}",)) for n in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 10 and any(found)
    assert names() == ["ada", "bob", "cyn", "dan"]
    assert CombinedRow.objects.filter(leaderboard_pass=current_pass()).count() == 4


def test_a_pass_is_due_after_an_hour_or_sooner_with_new_games(four) -> None:
    assert not is_due(AT)  # there are no ratings yet
    fold_log(four, round_robin())
    assert is_due(AT)
    made()
    assert not is_due(AT + INTERVAL_MS - 1)
    assert is_due(AT + INTERVAL_MS)
    append_log(four, [Played(0, 1)])
    assert not is_due(AT + MIN_INTERVAL_MS - 1)
    assert is_due(AT + MIN_INTERVAL_MS)
    LeaderboardPass.objects.update(took_ms=10_000)  # a pass that takes long comes seldom
    assert not is_due(AT + 500_000 - 1)
    assert is_due(AT + 500_000)
    LeaderboardPass.objects.update(took_ms=1_000_000)
    assert is_due(AT + INTERVAL_MS)


def test_a_clock_that_was_set_back_does_not_stop_the_passes(four) -> None:
    fold_log(four, round_robin(days_ago=10))
    made(AT + 300 * DAY_MS)
    assert names() == []
    assert not is_due(AT + 300 * DAY_MS - 1_000)  # two machines differ by that
    assert is_due(AT)
    made(AT)
    assert len(names()) == 4


def test_a_rebuild_is_followed_by_a_pass(four) -> None:
    fold_log(four, round_robin())
    task = LeaderboardTask()
    assert task.run("one", AT) > 0
    first = current_pass()
    assert task.run("one", AT) > 0 and current_pass() == first
    rebuild("test")
    task.run("two", AT)
    assert current_pass() != first
    task.give_back("two")
