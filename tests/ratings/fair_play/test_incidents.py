"""Rules of incidents: which time-outs count, and which games pause rated play."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.domain.clocks import DAY_MS
from ratings.fair_play.incidents import (
    MAX_COUNTED_TIME_OUTS,
    PAUSE_MS,
    TIME_OUT_WINDOW_MS,
    Kind,
    Pause,
    PlayedGame,
    is_serial,
    own_turns,
    pauses,
)

ALSO = {Kind.QUICK_RESIGNATION: (Kind.RESIGNATION,)}
TIMES = st.lists(st.integers(0, 40).map(lambda half_days: half_days * DAY_MS // 2), max_size=12)
KINDS = st.sampled_from((None, *Kind))
GAMES = st.lists(st.tuples(KINDS, st.booleans(), st.integers(0, DAY_MS)), max_size=20)


def counted_ends(ends: list[int]) -> list[int]:
    """The time-outs that count, of those that reach the log in this order."""
    counted: list[int] = []
    for end in ends:
        if not is_serial(end, counted):
            counted.append(end)
    return counted


def is_crowded(ends: tuple[int, ...]) -> bool:
    return max(ends) - min(ends) < TIME_OUT_WINDOW_MS


def played(games) -> list[PlayedGame]:
    ended, made = 0, []
    for number, (kind, counts, gap) in enumerate(games):
        ended += gap
        made.append(PlayedGame(number, ended, counts, kind))
    return made


@given(TIMES)
def test_no_three_time_outs_within_seven_days_count(ends: list[int]) -> None:
    counted = counted_ends(ends)
    assert not any(map(is_crowded, combinations(counted, MAX_COUNTED_TIME_OUTS + 1)))


@given(TIMES, st.integers(0, 40 * DAY_MS))
def test_a_time_out_that_does_not_count_has_two_within_seven_days(ends: list[int], end) -> None:
    counted = counted_ends(ends)
    expected = any(is_crowded((end, *two)) for two in combinations(counted, MAX_COUNTED_TIME_OUTS))
    assert is_serial(end, counted) is expected


@given(TIMES)
def test_the_first_two_count_in_any_order(ends: list[int]) -> None:
    assert counted_ends(ends)[:2] == ends[:2]


def test_seven_days_later_one_counts_again() -> None:
    assert is_serial(7 * DAY_MS - 1, [0, DAY_MS])
    assert not is_serial(7 * DAY_MS, [0, DAY_MS])


@pytest.mark.parametrize("turns", range(20))
def test_turns_of_both_are_all_turns(turns: int) -> None:
    white, black = own_turns("white", turns), own_turns("black", turns)
    assert white + black == turns
    assert white - black in (0, 1)


@given(GAMES)
def test_a_pause_rests_on_games_of_its_kind_and_lasts_a_day(games) -> None:
    made = played(games)
    by_key = {each.game: each for each in made}
    for pause in pauses(made):
        rests_on = [by_key[key] for key in pause.games]
        assert {each.incident for each in rests_on} <= {pause.kind, *ALSO.get(pause.kind, ())}
        assert pause.until == max(each.ended for each in rests_on) + PAUSE_MS
        assert list(pause.games) == sorted(pause.games)


@given(GAMES)
def test_later_games_change_no_earlier_pause(games) -> None:
    made = played(games)
    all_pauses = pauses(made)
    for end in range(len(made)):
        earlier = pauses(made[:end])
        assert all_pauses[: len(earlier)] == earlier


@given(GAMES)
def test_games_without_an_incident_cause_no_pause(games) -> None:
    made = played([(None, counts, gap) for _, counts, gap in games])
    assert pauses(made) == []


def early(*places: int, of: int = 7, kind: Kind = Kind.RESIGNATION) -> list[PlayedGame]:
    kinds = dict.fromkeys(places, kind)
    return [PlayedGame(place, place, True, kinds.get(place)) for place in range(of)]


def test_three_early_resignations_in_seven_games_pause_from_the_third() -> None:
    assert pauses(early(0, 3, 6)) == [Pause(Kind.RESIGNATION, 6 + PAUSE_MS, (0, 3, 6))]
    assert pauses(early(0, 3)) == []
    assert pauses(early(0, 3, 7, of=8)) == []


def test_five_quick_resignations_in_seven_games_pause_and_four_do_not() -> None:
    quick = Kind.QUICK_RESIGNATION
    assert pauses(early(0, 1, 3, 5, kind=quick)) == []
    games = early(0, 1, 3, 5, 6, kind=quick)
    assert pauses(games) == [Pause(quick, 6 + PAUSE_MS, (0, 1, 3, 5, 6))]
    games[6] = PlayedGame(6, 6, True, Kind.RESIGNATION)
    assert pauses(games) == [Pause(quick, 6 + PAUSE_MS, (0, 1, 3, 5, 6))]


def test_a_game_that_did_not_count_is_none_of_the_seven() -> None:
    games = early(0, 3, 7, of=8)
    games[5] = PlayedGame(5, 5, False)
    assert [pause.games for pause in pauses(games)] == [(0, 3, 7)]


def test_two_missed_starts_within_a_day_pause_and_on_two_days_do_not() -> None:
    def missed(gap: int) -> list[PlayedGame]:
        return [PlayedGame(n, at, False, Kind.NO_SHOW) for n, at in enumerate((0, gap))]

    assert pauses(missed(DAY_MS - 1)) == [Pause(Kind.NO_SHOW, DAY_MS - 1 + PAUSE_MS, (0, 1))]
    assert pauses(missed(DAY_MS)) == []


def test_a_time_out_pauses_only_if_it_did_not_count() -> None:
    games = [PlayedGame(n, n * DAY_MS, n < 2, Kind.TIME_OUT) for n in range(3)]
    assert pauses(games[:2]) == []
    assert pauses(games) == [Pause(Kind.TIME_OUT, 3 * DAY_MS, (0, 1, 2))]
