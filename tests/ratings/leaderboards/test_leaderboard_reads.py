"""Leaderboards as pages read them: keyset pages, tops, and a person's own place."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import account_service
from accounts.models import User
from games.rating.pools import Pool, Speed
from games.rating.standing import DAY_MS, MAX_DEVIATION
from ratings.leaderboards import leaderboard_reads
from ratings.leaderboards.own_place import OwnPlace, own_combined_row, own_place
from ratings.models import Generation, LeaderboardPass, LeaderboardRow, Standing
from ratings.rules.generations import rebuild
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
from tests.support.rated_games import create_accounts

pytestmark = pytest.mark.django_db


@pytest.fixture
def four(db) -> list[User]:
    return create_accounts("ada", "bob", "cyn", "dan")


def all_pages(
    shown: LeaderboardPass, pool: Pool = PINCER
) -> list[leaderboard_reads.LeaderboardLine]:
    """The rows of all pages, one after the other."""
    rows, after = [], 0
    while lines := leaderboard_reads.read_board(shown, pool, after):
        page = lines[: leaderboard_reads.ROWS_A_PAGE]
        rows += page
        if len(lines) <= leaderboard_reads.ROWS_A_PAGE:
            break
        after = page[-1].position
    return rows


RESULTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(1, 6), st.sampled_from(["white", "black", ""])),
    min_size=35,
    max_size=60,
)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(RESULTS, st.integers(1, 5), st.sets(st.integers(0, 6), max_size=3))
def test_pages_leave_nobody_out_and_show_nobody_twice(db, results, rows_a_page, gone) -> None:
    with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaderboard_reads, "ROWS_A_PAGE", rows_a_page)
        people = create_accounts(*"abcdefg")
        fold_log(people, [Played(one, (one + by) % 7, winner) for one, by, winner in results])
        shown = made()
        everybody = list(
            LeaderboardRow.objects.filter(leaderboard_pass=shown).values_list(
                "person__user", flat=True
            )
        )
        for index in gone:  # after the pass
            account_service.suspend(people[index].pk)
        rows = all_pages(shown)
        left = {user.username for user in people if user.pk in everybody}
        left -= {people[index].username for index in gone}
        assert sorted(row.name for row in rows) == sorted(left)
        keys = [(-(row.rating - 2 * row.deviation), -row.games) for row in rows]
        assert keys == sorted(keys)
        transaction.set_rollback(True)


def test_a_page_is_one_statement(four, django_assert_num_queries) -> None:
    fold_log(four, round_robin())
    shown = made()
    with django_assert_num_queries(1):
        leaderboard_reads.read_board(shown, PINCER, 1)
    with django_assert_num_queries(1):
        leaderboard_reads.read_tops(shown)


def test_tops_have_each_pool_and_leave_out_who_was_suspended(monkeypatch) -> None:
    monkeypatch.setattr(leaderboard_reads, "TOP_ROWS", 3)
    people = create_accounts(*"abcdef")
    fold_log(people, round_robin(6, 1))
    shown = made()
    account_service.suspend(people[0].pk)
    tops = leaderboard_reads.read_tops(shown)
    assert len(tops) == 10
    assert [line.name for line in tops[PINCER]] == ["b", "c", "d"]
    assert [line.place for line in tops[PINCER]] == [2, 3, 4]
    assert not tops[Pool("pincer", Speed.DAYS)]


def test_movers_are_those_who_have_gained(four) -> None:
    old = round_robin(days_ago=20)
    fold_log(four, [*old, *[Played(3, 0, days_ago=1)] * 3])
    shown = made()
    [(pool, line)] = leaderboard_reads.read_movers(shown)
    assert (pool, line.name) == (PINCER, "dan")
    assert line.week_change > 0
    account_service.suspend(four[3].pk)
    assert leaderboard_reads.read_movers(shown) == []


def test_the_combined_table_is_read_in_pages(four) -> None:
    fold_log(four, round_robin())
    shown = made()
    first = leaderboard_reads.read_combined(shown, limit=2)
    rest = leaderboard_reads.read_combined(shown, first[-1].position)
    assert [line.name for line in (*first, *rest)] == ["ada", "bob", "cyn", "dan"]
    row = own_combined_row(four[0].pk, shown)
    assert row is not None and (row.place, row.score) == (1, first[0].score)


def test_an_own_place_says_what_is_missing(four) -> None:
    assert own_place(four[0].pk, PINCER, None, AT) == OwnPlace(0, 0)
    fold_log(four, [Played(0, 1), Played(0, 1), Played(2, 0, days_ago=91), Played(1, 2)])
    assert own_place(four[0].pk, PINCER, None, AT) == OwnPlace(2, 1)
    assert own_place(four[0].pk, PINCER, made(), AT) == OwnPlace(2, 1)
    assert own_place(four[3].pk, PINCER, made(), AT) == OwnPlace(0, 0)


def test_an_own_place_before_the_first_pass_has_no_number(four) -> None:
    fold_log(four, round_robin())
    own = own_place(four[0].pk, PINCER, None, AT)
    assert own.is_eligible and own.place is None


def test_games_since_the_pass_are_in_the_own_place(four) -> None:
    fold_log(four, round_robin(days_ago=10))
    shown = made()
    assert own_place(four[3].pk, PINCER, shown, AT).place == 4
    append_log(four, [Played(3, other, days_ago=0) for other in range(3)] * 8)
    rebuild("test")  # stands for the applier
    own = own_place(four[3].pk, PINCER, shown, AT)
    standing = Standing.objects.current().get(person=person_of(four[3]))
    assert (own.place, own.rating, own.games) == (1, standing.rating, 30)
    assert own.week_change == standing.rating - LeaderboardRow.objects.get(position=4).rating
    assert [line.name for line in all_pages(shown)][3] == "dan"  # until the next pass


def test_a_newcomer_has_an_own_place_before_the_next_pass() -> None:
    people = create_accounts("ada", "bob", "cyn", "dan", "eve")
    fold_log(people, round_robin(4))
    shown = made()
    append_log(people, [Played(0, 4), Played(1, 4), Played(2, 4), Played(3, 4), Played(3, 4)])
    rebuild("test")
    assert own_place(people[4].pk, PINCER, shown, AT).place == 5


def test_games_that_grew_old_since_the_pass_do_not_count(four) -> None:
    fold_log(four, round_robin(days_ago=10))
    shown = made()
    assert own_place(four[0].pk, PINCER, shown, AT + 81 * DAY_MS) == OwnPlace(0, 0)
    # A clock that was set back: earlier games count again.
    late = made(AT + 81 * DAY_MS)
    assert late.first_seq > Generation.objects.get(is_current=True).last_seq
    assert own_place(four[0].pk, PINCER, late, AT).is_eligible


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.integers(1_000, 1_004), st.integers(5, 6)), max_size=8),
    st.tuples(st.integers(999, 1_005), st.integers(5, 6)),
    st.none() | st.tuples(st.integers(999, 1_005), st.integers(5, 6)),
)
def test_an_own_place_counts_all_others_that_are_better(db, others, own, stored) -> None:
    """Checks all ties, and any position of the person in the pass."""
    with transaction.atomic():
        people = create_accounts("me", *(f"other-{n}" for n in range(8)))
        spread = [Played(0, 1 + n % 3) for n in range(own[1])]
        fold_log(people, [*spread, Played(1, 2), Played(2, 3)])
        standing = Standing.objects.current().get(person=person_of(people[0]))
        rating = own[0] * 1_000 + 2 * MAX_DEVIATION
        Standing.objects.filter(pk=standing.pk).update(
            rating=rating, deviation=MAX_DEVIATION, at=AT
        )
        shown = LeaderboardPass.objects.create(
            state="current", generation_id=standing.generation_id, last_seq=8, first_seq=0, at=AT
        )
        rows = [(*key, person_of(user)) for key, user in _known(others, people)]
        if stored is not None:
            rows.append((*stored, standing.person_id))
        rows.sort(key=lambda row: (-row[0], -row[1], row[2]))
        for position, (score, games, person) in enumerate(rows, 1):
            place = 1 + sum((each[0], each[1]) > (score, games) for each in rows)
            LeaderboardRow.objects.create(
                leaderboard_pass=shown, person_id=person, rules="pincer", speed="live",
                position=position, place=place, score=score * 1_000, rating=0, deviation=0,
                games=games, opponents=3,
            )  # fmt: skip
        found = own_place(people[0].pk, PINCER, shown, AT)
        assert found.place == 1 + sum(each > own for each in others)
        transaction.set_rollback(True)


def _known(others, people):
    """Scores with the people who have them, all of whom have a number."""
    from ratings.rules.entry_log import person_numbers

    person_numbers([user.pk for user in people])
    return zip(others, people[1:], strict=False)


@pytest.mark.embedded("SQLite's plan")
def test_an_own_place_is_found_without_reading_all_standings(four) -> None:
    """A person's standing is found by an index; else its cost would grow with all accounts."""
    fold_log(four, round_robin())
    of_person = Standing.objects.listed().filter(person__user=four[0].pk)
    assert "SCAN ratings_standing" not in of_person.explain()
