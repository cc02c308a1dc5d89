"""Time management, draw offers and resignation of computer players."""

from dataclasses import replace

import pytest
from msgspec import structs

from bots import draw_resign, thinker
from games.players.core import Level
from play.domain.clocks import Clock
from play.domain.game_state import with_position
from tests.support.bot_workers import first
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db(transaction=True)
LEVEL = Level(8, 1, 3.0)


@pytest.fixture
def seen(people, at_work):
    """A game against the computer, as it is read; the computer is white."""

    async def seen(key: str, clock: Clock | None = None):
        return await game_service().find((await first(people[0], key, clock=clock)).slug)

    return seen


@pytest.mark.parametrize(
    ("clock", "after", "seconds"),
    [
        (Clock("none"), 10**9, 3.0),
        (Clock("days", 86_400_000), 0, 3.0),
        (Clock("fischer", 600_000, 5_000), 0, 3.0),
        (Clock("fischer", 60_000, 0), 0, 2.4),
        (Clock("fischer", 10_000, 1_000), 0, 1.2),
        (Clock("fischer", 10_000, 1_000), 8_500, 0.8),
        (Clock("fischer", 10_000, 0), 9_400, 0.0),
        (Clock("fischer", 10_000, 0), 11_000, 0.0),
        (Clock("limit", 6_000), 0, 2.0),
        (Clock("limit", 6_000), 4_800, 0.4),
    ],
)
async def test_a_thought_is_bounded_by_the_level_and_by_what_the_clock_leaves(
    seen, clock, after, seconds
):
    live = await seen("amazons", clock)
    at = live.times.since + after
    assert thinker.seconds(LEVEL, live, "white", at) == pytest.approx(seconds, abs=0.01)


async def test_a_turn_of_two_actions_shares_its_time(seen):
    clock = Clock("fischer", 60_000)
    whole, half = await seen("amazons", clock), await seen("amazons-10x10", clock)
    at = half.times.since
    assert thinker.seconds(LEVEL, whole, "white", whole.times.since) == pytest.approx(
        2 * thinker.seconds(LEVEL, half, "white", at)
    )


@pytest.mark.parametrize(
    ("clock", "wait"),
    [(Clock("none"), 600), (Clock("fischer", 60_000), 600), (Clock("fischer", 1_000), 75)],
)
async def test_the_pause_before_an_answer_is_shorter_where_time_is_short(seen, clock, wait):
    live = await seen("pincer", clock)
    assert thinker.earliest(live, "white") == live.times.since + wait


@pytest.mark.parametrize("left", range(1_000, 4_000, 250))
async def test_pause_and_thoughts_of_a_turn_stay_within_the_clock(seen, left):
    live = await seen("amazons-10x10", Clock("fischer", left, 2_000))
    at = float(thinker.earliest(live, "white"))
    for _ in range(2):
        at += 1000 * thinker.seconds(LEVEL, live, "white", int(at))
    assert at <= live.times.since + left - thinker.RESERVE_MS + 1


@pytest.mark.parametrize(
    ("turns", "value", "answer"),
    [
        (9, -0.5, "decline"),
        (10, -0.5, "accept"),
        (10, 0.0, "accept"),
        (10, 0.01, "decline"),
        (10, None, "decline"),
    ],
)
async def test_a_draw_is_accepted_by_who_is_not_better_in_a_game_that_has_settled(
    seen, turns, value, answer
):
    live = await seen("amazons")
    played = with_position(live, replace(live.state, turns=turns))
    assert played.rules.turns(played.state) == turns
    assert draw_resign.answer_draw(played, "white", value) == answer


@pytest.mark.parametrize(
    ("troops", "answer"),
    [(("10 0 0", "0 5 5"), "accept"), (("0 5 5", "10 0 0"), "decline"), (None, "decline")],
)
async def test_in_blotto_a_draw_is_accepted_by_who_is_behind(seen, troops, answer):
    live = await seen("blotto")
    if troops:
        parsed = [live.rules.parse(f"troops {text}") for text in troops]
        joint = dict(zip(("white", "black"), parsed, strict=True))
        live = with_position(live, live.rules.play(live.state, joint))
    expected = {"accept": "decline", "decline": "accept"} if troops else {}
    assert draw_resign.answer_draw(live, "white", 0.9) == answer
    assert draw_resign.answer_draw(live, "black", 0.9) == expected.get(answer, "decline")


@pytest.mark.parametrize(
    ("key", "may", "value", "before", "end"),
    [
        ("pincer", True, -0.98, -0.98, "resign"),
        ("pincer", True, -0.98, -0.9, None),
        ("pincer", True, -0.9, -0.98, None),
        ("pincer", True, -1.0, None, None),
        ("pincer", False, -1.0, -1.0, None),
        ("blotto", True, -1.0, -1.0, None),
    ],
)
async def test_only_what_is_hopeless_twice_is_given_up(seen, key, may, value, before, end):
    assert draw_resign.resign_or_offer(await seen(key), may, value, before) == end


@pytest.mark.parametrize(("value", "end"), [(0.0, "claim"), (-1.0, "claim"), (0.1, None)])
async def test_a_quiet_game_is_ended_by_who_is_not_better(seen, value, end):
    live = structs.replace(await seen("amazons"), quiet=50)
    assert draw_resign.resign_or_offer(live, True, value, value) == end
    assert draw_resign.resign_or_offer(structs.replace(live, quiet=49), False, value, value) is None
