"""Conditional replies on the socket: saved as a whole, told to all pages of their owner."""

import pytest

from play.domain.clocks import DAY_MS, Clock
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db
DAYS = Clock("days", 2 * DAY_MS)
WHITE = ["move 1 5 2 5", "move 1 7 1 6"]
BLACK = ["move 7 7 6 7", "move 7 5 6 5"]
OTHER = ["move 1 1 2 1", "move 1 3 2 3"]


def replies(game, user) -> Page:
    return Page(game.slug, user, topic=f"replies:{game.slug}")


async def save(page, lines, id="s", step=0, takebacks=0):
    await page.say(t="save_replies", id=id, step=step, takebacks=takebacks, lines=lines)
    while True:
        frame = await page.take()
        if frame["t"] in ("saved", "refused"):
            return frame


async def lines_of(page):
    frame = await page.next("replies")
    return [[turn["actions"] for turn in line] for line in frame["lines"]]


async def test_two_pages_save_and_the_last_wins_on_both(table, people, at_work):
    game, (_, bob, _) = await table("pincer", DAYS), people
    async with replies(game, bob) as one, replies(game, bob) as two:
        assert await lines_of(one) == await lines_of(two) == []
        assert (await save(one, [[WHITE, BLACK]]))["lines"] == 1
        assert (await save(two, [[WHITE, OTHER]]))["lines"] == 1
        last = [[WHITE, OTHER]]
        for page in (one, two):
            states = [
                frame for frame in [*page.heard, *await page.quiet()] if frame["t"] == "replies"
            ]
            assert [[turn["actions"] for turn in line] for line in states[-1]["lines"]] == last
        assert (await save(one, []))["lines"] == 0
        assert await lines_of(two) == []


async def test_the_lines_come_back_in_the_notation_of_the_game(table, people, at_work):
    game, (_, bob, _) = await table("pincer", DAYS), people
    async with replies(game, bob) as page:
        await save(page, [[WHITE, BLACK]])
    async with replies(game, bob) as page:
        frame = await page.next("replies")
    (line,) = frame["lines"]
    assert [turn["role"] for turn in line] == ["white", "black"]
    assert line[0]["text"] == ["a5-b5", "a7-a6"] and (frame["step"], frame["takebacks"]) == (0, 0)


async def test_the_opponent_sees_the_reply_when_it_was_played(table, people, at_work):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    async with Page(game.slug, ada) as hers, replies(game, bob) as his:
        await hers.until(0)
        await save(his, [[WHITE, BLACK]])
        await hers.act(*WHITE)
        await all_at(2, hers)
        assert [step.get("ahead") for step in hers.state["last"]] == [True, True]
        while (await his.next("replies"))["lines"]:
            pass


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([[WHITE, BLACK]] * 6, "too_many_lines"),
        ([[WHITE, BLACK] * 4], "line_too_long"),
        ([[WHITE]], "line_unfinished"),
        ([[WHITE, BLACK[:1]]], "line_unfinished"),
        ([[BLACK, WHITE]], "illegal"),
        ([[["x"], BLACK]], "bad_action"),
        ([[WHITE, BLACK]] * 17, "malformed"),
        ([[WHITE, BLACK * 3]], "malformed"),
        ([[WHITE, ["m" * 65]]], "malformed"),
        ("all", "malformed"),
        ([[["m" * 64] * 4] * 16] * 16, "too_large"),
    ],
)
async def test_bad_lines_are_refused_and_the_saved_ones_stay(table, people, at_work, lines, reason):
    game, (_, bob, _) = await table("pincer", DAYS), people
    async with replies(game, bob) as page:
        await save(page, [[WHITE, BLACK]])
        assert (await save(page, lines, id="t"))["reason"] == reason
    async with replies(game, bob) as page:
        assert await lines_of(page) == [[WHITE, BLACK]]


async def test_on_ones_own_turn_and_for_a_passed_step_nothing_is_saved(table, people, at_work):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    async with replies(game, ada) as hers, replies(game, bob) as his:
        assert (await save(hers, [[WHITE, BLACK]]))["reason"] == "own_turn"
        assert (await save(his, [[WHITE, BLACK]], step=2))["reason"] == "stale_step"
        assert (await save(his, [[WHITE, BLACK]], takebacks=1))["reason"] == "stale_step"


@pytest.mark.parametrize(
    ("key", "clock", "user", "reason"),
    [
        ("blotto", DAYS, 1, "no_replies"),
        ("pincer", Clock("fischer", 60_000, 0), 1, "no_replies"),
        ("pincer", Clock("limit", 30_000), 1, "no_replies"),
        ("pincer", DAYS, 2, "not_seated"),
        ("pincer", DAYS, None, "not_seated"),
    ],
)
async def test_whoever_may_have_none_cannot_follow_them(
    table, people, at_work, key, clock, user, reason
):
    game = await table(key, clock)
    async with replies(game, None if user is None else people[user]) as page:
        assert (await page.next("ended"))["reason"] == reason
        assert (await save(page, [[WHITE, BLACK]]))["reason"] == "not_subscribed"


async def test_a_question_shows_the_position_after_some_turns(table, people, at_work):
    game, (_, bob, _) = await table("amazons-10x10", DAYS), people
    async with replies(game, bob) as page:
        await page.next("replies")
        question = {"t": "try_turns", "step": 0, "takebacks": 0}
        await page.say(**question, id="a", turns=[])
        first = await page.next("tried")
        assert first["role"] == "white" and first["prompt"]["steps"] and first["turns"] == []
        await page.say(**question, id="b", turns=[["move 4 1 4 7", "fire 7 7"]])
        frame = await page.take()
        assert frame["t"] == "tried", frame
        assert frame["role"] == "black" and frame["view"] != first["view"]
        await page.say(**question, id="c", turns=[["move 4 1 4 7", "fire 4 7"]])
        assert (await page.next("refused"))["reason"] == "illegal"
    assert await game_service().find(game.slug)
