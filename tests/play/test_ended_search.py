"""A periodic task finds every ended game, however late it was committed."""

from hypothesis import given
from hypothesis import strategies as st

from play.storage.ended_search import RECENT_MS, EndedSearch

START = 100 * RECENT_MS
A_ROUND = 3  # games
games = st.lists(
    st.tuples(st.integers(0, 5 * RECENT_MS), st.integers(0, 5 * RECENT_MS)), max_size=12
)


def run_round(search: EndedSearch, at: int, committed: list[tuple[int, int]], done: set) -> bool:
    """Look at games (number, end) as a task does; return whether the next round is due at once."""
    since = search.begin(at)
    left = sorted((end, number) for number, end in committed if number not in done and end >= since)
    found = left[:A_ROUND]
    done.update(number for _, number in found)
    return search.end(at, found[-1][0] if len(found) == A_ROUND else None)


@given(games, st.integers(RECENT_MS // 20, RECENT_MS // 2))
def test_each_game_is_found_within_ten_minutes_of_its_commit(times, interval) -> None:
    """`times`: the end of each game after the start, and the time from its end to its commit."""
    search, done, at = EndedSearch(), set(), START
    last = START + 10 * RECENT_MS
    found_at: dict[int, int] = {}
    while at <= last + 2 * RECENT_MS:
        committed = [
            (number, START + end)
            for number, (end, delay) in enumerate(times)
            if START + end + delay <= at
        ]
        while run_round(search, at, committed, done):
            pass
        found_at |= dict.fromkeys(done - found_at.keys(), at)
        at += interval
    for number, (end, delay) in enumerate(times):
        assert found_at[number] - (START + end + delay) <= RECENT_MS + interval


def test_a_process_that_begins_searches_all_games_in_parts() -> None:
    search = EndedSearch()
    assert search.begin(START) == 0
    assert search.end(START, 7) is True
    assert search.begin(START) == 7
    assert search.end(START, None) is False
    assert search.begin(START + 1) == START + 1 - RECENT_MS
    search.restart()
    assert search.begin(START + 2) == 0
