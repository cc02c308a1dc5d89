"""Draw offers and resignation of computer players."""

from dataclasses import replace

import pytest
from msgspec import structs

from bots.thinking import draw_resign
from games.players.manners import manners_of
from play.domain.game_state import with_position

pytestmark = pytest.mark.django_db
CLOSED = "/".join(["xxxxxxxxxx"] * 8)
PARTED_ROWS = f"W....xx..B/xxxxxxxxxx/{CLOSED}"  # four squares to two
LEVEL_ROOMS = f"W...xx...B/xxxxxxxxxx/{CLOSED}"


PARTED = "W..xxxxxxx/" + "xxxxxxxxxx/" * 8 + "xxxxxxx..B white - 40"
GUARDED = ".Wxxxxxxxx/xxBxxxxxxx/x..xxxxxxx/" + "xxxxxxxxxx/" * 6 + "xxxxxxxxxx white - 40"


@pytest.mark.parametrize(
    ("key", "turns", "value", "answer"),
    [
        ("amazons", 29, 0.0, "decline"),
        ("amazons", 30, 0.0, "accept"),
        ("amazons", 30, 0.1, "accept"),
        ("amazons", 30, 0.11, "decline"),
        ("amazons", 30, -0.11, "decline"),
        ("amazons", 30, None, "decline"),
        ("amazons-10x10", 40, 0.0, "decline"),
        ("amazons-8x8", 40, -0.9, "decline"),
        ("pincer", 9, -0.5, "decline"),
        ("pincer", 10, -0.5, "accept"),
        ("pincer", 10, 0.0, "accept"),
        ("pincer", 10, 0.01, "decline"),
    ],
)
@pytest.mark.parametrize("level", [1, 8])
async def test_a_draw_is_accepted_only_where_and_when_the_table_says_so(
    seen, key, turns, value, answer, level
):
    live = await seen(key)
    played = with_position(live, replace(live.state, turns=turns))
    assert played.rules.turns(played.state) == turns
    assert draw_resign.answer_draw(played, manners_of(key, level), value) == answer


@pytest.mark.parametrize("position", [PARTED, GUARDED])
async def test_once_the_sides_are_apart_no_draw_is_accepted(seen, position):
    live = await seen("amazons")
    parted = with_position(live, live.rules.read(position))
    assert parted.rules.turns(parted.state) == 40
    assert draw_resign.answer_draw(parted, manners_of("amazons", 8), 0.0) == "decline"


async def test_in_blotto_no_draw_is_accepted(seen):
    live = await seen("blotto")
    for value in (-1.0, 0.0, 1.0):
        assert draw_resign.answer_draw(live, manners_of("blotto", 8), value) == "decline"


@pytest.mark.parametrize(
    ("key", "level", "value", "before", "end"),
    [
        ("pincer", 4, -0.98, -0.98, "resign"),
        ("pincer", 4, -0.98, -0.9, None),
        ("pincer", 4, -0.9, -0.98, None),
        ("pincer", 4, -1.0, None, None),
        ("pincer", 3, -1.0, -1.0, None),
        ("blotto", 8, -1.0, -1.0, None),
        ("amazons", 7, -0.98, -0.98, "resign"),
        ("amazons", 8, -1.0, -1.0, "resign"),
        ("amazons-10x10", 8, -0.989, -0.989, None),  # an estimate: it may yet be won
        ("amazons-10x10", 8, -1.0, -1.0, "resign"),
        ("amazons-10x10", 3, -1.0, -1.0, None),
    ],
)
async def test_only_what_is_hopeless_twice_or_proved_lost_is_resigned(
    seen, key, level, value, before, end
):
    live = await seen(key)
    manners = manners_of(key, level)
    assert draw_resign.resign_or_claim(live, "white", manners, value, before) == end
    assert draw_resign.resign_or_claim(live, "white", None, value, before) is None


@pytest.mark.parametrize(("value", "end"), [(0.0, "claim"), (-1.0, "claim"), (0.1, None)])
async def test_a_quiet_game_is_ended_by_who_is_not_better(seen, value, end):
    live = structs.replace(await seen("amazons"), quiet=50, is_counted=False)
    assert draw_resign.resign_or_claim(live, "white", None, value, value) == end
    early = structs.replace(live, quiet=49)
    assert draw_resign.resign_or_claim(early, "white", None, value, value) is None


@pytest.mark.parametrize("level", [1, 8])
@pytest.mark.parametrize("rows", [PARTED_ROWS, LEVEL_ROOMS])
async def test_a_parted_game_is_counted_by_who_does_not_lose_by_it(seen, rows, level):
    live = await seen("amazons")
    live = with_position(live, live.rules.read(f"{rows} white - 30"))
    manners = manners_of("amazons", level)
    ends = {
        role: draw_resign.resign_or_claim(live, role, manners, 0.0, None)
        for role in ("white", "black")
    }
    loses = "resign" if level == 8 else None
    assert ends == {"white": "count", "black": loses if rows == PARTED_ROWS else "count"}
    for value in (-0.9, 0.0):
        assert draw_resign.answer_draw(live, manners, value) == "decline"


async def test_where_squares_are_not_counted_a_lost_race_is_held_and_not_given_up(seen):
    live = structs.replace(await seen("amazons"), is_counted=False)
    live = with_position(live, live.rules.read(f"{PARTED_ROWS} white - 30"))
    manners = manners_of("amazons", 8)
    assert draw_resign.resign_or_claim(live, "black", manners, -1.0, -1.0) is None


@pytest.mark.parametrize("role", ["white", "black"])
async def test_only_between_computers_a_decided_game_ends_by_a_proof(seen, role):
    live = await seen("amazons-10x10")
    rows = "/".join(["W...xxxxxx", *["xxxxxxxxxx"] * 8, "xxxxxxxx.B"])
    live = with_position(live, live.rules.read(f"{rows} {role} - 30"))
    end = draw_resign.resign_or_claim(live, role, None, 0.0, 0.0)
    assert end == ("decided" if role == "white" else None)
    manners = manners_of("amazons-10x10", 8)
    assert draw_resign.resign_or_claim(live, role, manners, 0.0, 0.0) is None
    spent = structs.replace(live, claims={"white": 3})
    assert draw_resign.resign_or_claim(spent, role, None, 0.0, 0.0) is None
