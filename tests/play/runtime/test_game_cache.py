"""The cache of games is bounded by bytes, and keeps the games that somebody uses."""

import tracemalloc
from random import Random

import pytest
from msgspec.structs import replace

from games.catalogue import RULES
from games.core import NOOP, ROLES
from play.domain.clocks import Clock, Times
from play.domain.game_state import GameState, Person, apply_joint
from play.runtime.game_cache import MAX_EXAMINED, MEASURE_INTERVAL, GameCache, estimate_bytes
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service

FIRST_ID = 10**6  # small numbers are shared objects in Python, and would change the sizes


def game(n: int, key: str = "pincer") -> GameState:
    """A game before its first step, with strings and numbers of its own."""
    rules = RULES[key]
    state, people = rules.start(), {}
    for seat, role in enumerate(ROLES):
        people[role] = Person(10**6 + 2 * n + seat, f"guest-{2 * n + seat:06d}", True, False)
    return GameState(
        id=FIRST_ID + n,
        slug=f"slug-{n:020d}",
        rules=rules,
        clock=Clock("fischer", 180_000, 2_000),
        people=people,
        public=True,
        watch=True,
        lobby="",
        started=10**12 + n,
        rev=0,
        head=f"{n:064d}",
        changed=10**12 + n,
        ended=None,
        takebacks=0,
        step=0,
        state=state,
        control=rules.control(state),
        times=Times(dict.fromkeys(ROLES, 180_000 + n), 10**12 + n, frozenset(["white"])),
        sealed={},
        offers={},
        ending=None,
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )


def played(start: GameState, steps: int, random: Random) -> GameState:
    """The game after some random steps, or at its end."""
    for _ in range(steps):
        rules, state = start.rules, start.state
        if rules.outcome(state):
            break
        joint = {
            role: random.choice(list(rules.choices(state, role)))
            if role in rules.control(state)
            else NOOP
            for role in ROLES
        }
        start = replace(apply_joint(start, joint), rev=start.rev + 1)
    return start


def cache_of(count: int, in_use: set[str] | None = None) -> GameCache:
    """A cache with room for so many games at their start."""
    used = in_use if in_use is not None else set()
    room = GameCache(lambda slug: False, 2**20)
    room.hold(game(0))
    return GameCache(lambda slug: slug in used, count * room.size)


def test_the_cache_keeps_to_its_bytes_and_drops_the_least_recently_used():
    cache = cache_of(10)
    for n in range(10):
        cache.hold(game(n))
    cache.find(game(0).slug)
    for n in range(10, 15):
        cache.hold(game(n))
    assert cache.size <= cache_of(10)._max_bytes
    assert [each.id - FIRST_ID for each in cache.values()] == [6, 7, 8, 9, 0, 10, 11, 12, 13, 14]


def test_a_game_in_use_is_kept_until_nobody_uses_it():
    used = {game(0).slug}
    cache = cache_of(3, used)
    for n in range(9):
        cache.hold(game(n))
    assert game(0).slug in cache
    used.clear()
    for n in range(9, 13):
        cache.hold(game(n))
    assert game(0).slug not in cache
    assert len(cache) == 3


def test_a_cached_game_asks_about_few_others_though_all_are_in_use():
    asked = []
    cache = GameCache(lambda slug: not asked.append(slug), 1)
    for n in range(100):
        cache.hold(game(n))
    assert len(cache) == 100
    assert len(asked) <= 100 * MAX_EXAMINED


def test_the_cache_shrinks_to_its_bytes_when_games_are_no_longer_in_use():
    used = {game(n).slug for n in range(50)}
    cache = cache_of(5, used)
    for n in range(50):
        cache.hold(game(n))
    used.clear()
    for n in range(50, 70):
        cache.hold(game(n))
    assert len(cache) == 5


def test_the_game_that_was_cached_last_stays_though_it_is_too_large():
    cache = GameCache(lambda slug: False, 1)
    cache.hold(game(0))
    cache.hold(game(1))
    assert [each.id - FIRST_ID for each in cache.values()] == [1]


def test_an_older_rev_does_not_replace_a_newer_one():
    cache, newer = cache_of(2), replace(game(0), rev=7)
    cache.hold(newer)
    assert cache.hold(game(0)) is newer
    assert cache[newer.slug] is newer


def test_the_size_follows_a_game_that_grows():
    cache, before = cache_of(2), game(0)
    cache.hold(before)
    size = cache.size
    grown = replace(before, rev=MEASURE_INTERVAL, lobby="x" * 10_000)
    cache.hold(grown)
    assert cache.size >= size + 10_000
    cache.drop(grown.slug)
    assert cache.size == 0


def test_a_cleared_cache_has_no_size():
    cache = cache_of(9)
    for n in range(9):
        cache.hold(game(n))
    cache.clear()
    assert (cache.size, len(cache)) == (0, 0)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("key", RULES)
def test_the_estimate_is_near_what_python_allocates(key):
    random, count = Random(key), 40
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        games = [played(game(n, key), n % 20, random) for n in range(count)]
        allocated = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    estimated = sum(estimate_bytes(each) for each in games)
    assert 0.8 * allocated <= estimated <= 2 * allocated


@pytest.mark.django_db
async def test_a_game_without_pages_is_dropped_and_read_again_at_its_rev(at_work, table, people):
    watched, idle, last = [await table("pincer") for _ in range(3)]
    service = game_service()
    service._games._max_bytes = 1
    async with Page(watched.slug, people[0]) as ada:
        await ada.until(0)
        async with Page(idle.slug, people[0]) as elsewhere:
            await elsewhere.until(0)
            await elsewhere.act("move 1 5 2 5")
            await elsewhere.until(1)
            assert {watched.slug, idle.slug} <= {*service._games}
        await service.find(last.slug)
        assert watched.slug in service._games
        assert idle.slug not in service._games
        assert (await service.find(idle.slug)).rev == 1
