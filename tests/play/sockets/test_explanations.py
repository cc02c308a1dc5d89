"""Questions of pages about squares that cannot be chosen: answers, permissions, limits."""

import pytest

from play.sockets import consumers
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service
from tests.support.waiting import turn_loop_clock

pytestmark = pytest.mark.django_db


async def ask(page, *squares, id="why-1", step=None):
    """The answer to a question about the page's own draft: `explained` or `refused`."""
    await page.say(
        t="explain", id=id, step=page.state["step"] if step is None else step, squares=squares
    )
    while True:
        frame = await page.take()
        if frame["t"] in ("explained", "refused"):
            return frame


@pytest.mark.parametrize(
    ("squares", "code", "named"),
    [
        (("d10",), "not_yours", ["d10"]),
        (("d1", "d10"), "occupied", ["d10"]),
        (("d1", "d5", "d1"), None, []),
        (("a4", "a8"), "path_blocked", ["a7"]),
        (("d1", "e3"), "not_a_line", ["d1", "e3"]),
    ],
)
async def test_the_rules_say_why_a_square_cannot_be_chosen(table, people, squares, code, named):
    game = await table("amazons-10x10")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        answer = await ask(ada, *squares)
        assert (answer["t"], answer["id"]) == ("explained", "why-1")
        assert (answer["code"], answer["squares"]) == (code, named)
        assert bool(answer["say"]) == (code is not None)


async def test_a_question_changes_nothing(table, people):
    game = await table("pincer")
    before = await game_service().find(game.slug)
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ask(ada, "a7", "a6", "a6")
        await bob.quiet()
        assert (ada.state["rev"], bob.state["rev"]) == (0, 0)
    assert await game_service().find(game.slug) is before


async def test_who_waits_is_told_about_a_premove(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[1]) as bob:
        await bob.until(0)
        assert (await ask(bob, "a7"))["code"] == "not_yours"
        assert (await ask(bob, "g7", "g6", "g6"))["code"] == "same_piece_twice"


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ({"step": 7, "squares": ["a7"]}, "stale_step"),
        ({"step": 0, "squares": ["h9"]}, "bad_action"),
        ({"step": 0, "squares": []}, "malformed"),
        ({"step": 0, "squares": ["z1"]}, "malformed"),
        ({"step": 0, "squares": ["a1"] * 5}, "malformed"),
        ({"step": -1, "squares": ["a1"]}, "malformed"),
        ({"step": 0, "squares": ["a1"], "role": "black"}, "malformed"),
    ],
)
async def test_a_question_about_another_step_or_none_is_refused(table, people, frame, reason):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        await ada.say(t="explain", id="why-1", **frame)
        assert (await ada.next("refused"))["reason"] == reason


async def test_spectators_have_no_draft_to_ask_about(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[2]) as cy, Page(game.slug) as nobody:
        await all_at(0, cy, nobody)
        for page in (cy, nobody):
            assert (await ask(page, "a7"))["reason"] == "not_seated"


async def test_nothing_is_explained_where_choices_are_sealed(table, people):
    game = await table("blotto")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ada.act("troops 6 4 0")
        for page in (ada, bob):
            answer = await ask(page, "a1", step=0)
            assert (answer["t"], answer["reason"], answer["squares"]) == (
                "refused",
                "bad_action",
                [],
            )


async def test_after_the_end_nothing_is_explained(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        await ada.say(t="resign", id="r")
        await ada.until(1)
        assert (await ask(ada, "a7"))["reason"] == "over"


async def test_questions_above_their_own_rate_are_dropped_and_acts_still_arrive(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        for number in range(60):
            await ada.say(t="explain", id=f"why-{number}", step=0, squares=["g7"])
        receipt = await ada.act("move 1 5 2 5", id="act-1")
        assert receipt["t"] == "receipt"
        answers = [frame["id"] for frame in ada.heard if frame["t"] == "explained"]
        assert answers[:5] == [f"why-{number}" for number in range(5)]
        assert 5 <= len(answers) < 60  # five, and those of the seconds that sixty frames took
        assert not any(frame["t"] == "refused" for frame in ada.heard)
        await turn_loop_clock(60)
        assert (await ask(ada, "g7", id="later"))["id"] == "later"


async def test_a_flood_of_questions_ends_the_subscription(table, people, monkeypatch):
    monkeypatch.setattr(consumers, "MAX_REFUSED_FRAMES", 40)
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        for number in range(120):
            await ada.say(t="explain", id=f"why-{number}", step=0, squares=["g7"])
        assert (await ada.next("ended"))["reason"] == "slow_down"
