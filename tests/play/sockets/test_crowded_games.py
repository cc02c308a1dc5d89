"""Many spectators and frames do not delay the players of a game."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from typing import Any

import pytest

from play.domain.clocks import DAY_MS, Clock
from play.runtime.game_service import MAX_COMMANDS_PER_USER
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@asynccontextmanager
async def held_up_database() -> AsyncIterator[None]:
    """Keeps the thread that reads from the database occupied for as long as the block runs."""
    is_held, end = threading.Event(), threading.Event()

    def hold() -> None:
        is_held.set()
        end.wait(60)

    holding = asyncio.create_task(game_service().run_in_db_thread(hold))
    await asyncio.to_thread(is_held.wait, 60)
    try:
        yield
    finally:
        end.set()
        await holding


async def answer_to(page: Page, **frame: Any) -> dict[str, Any]:
    """Send a frame with an id; return its receipt or refusal."""
    await page.say(**frame)
    while True:
        heard = await page.take()
        if heard["t"] in ("receipt", "refused") and heard["id"] == frame["id"]:
            return heard


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "act", "step": 0, "actions": ["move 3 1 3 5"]},
        {"t": "draw", "do": "offer"},
        {"t": "takeback", "do": "offer"},
        {"t": "resign"},
        {"t": "abort"},
        {"t": "claim", "as": "quiet"},
        {"t": "claim", "as": "victory"},
    ],
    ids=lambda frame: "-".join(str(value) for value in frame.values() if isinstance(value, str)),
)
@pytest.mark.parametrize("is_stranger", [True, False])
async def test_a_spectators_command_is_refused_without_the_database(
    table, people, frame, is_stranger
):
    game = await table("amazons-8x8")
    async with Page(game.slug, None if is_stranger else people[2]) as watcher:
        await watcher.until(0)
        async with held_up_database():
            refused = await answer_to(watcher, id="x", **frame)
    assert (refused["t"], refused["reason"]) == ("refused", "not_seated")


async def test_asking_for_a_flag_while_time_is_left_needs_no_database(table, people):
    game = await table("amazons-8x8", Clock("days", DAY_MS))
    for who in (None, people[0]):
        async with Page(game.slug, who) as page:
            await page.until(0)
            async with held_up_database():
                await page.say(t="flag")
                assert (await page.next("game"))["status"] == "live"


async def test_one_user_has_few_commands_under_way_in_a_game_and_others_go_on(table, people):
    game = await table("amazons-8x8")
    surplus = 12
    async with AsyncExitStack() as stack:
        ada = [Page(game.slug, people[0]) for _ in range(MAX_COMMANDS_PER_USER + surplus)]
        for page in (bob := Page(game.slug, people[1]), *ada):
            await stack.enter_async_context(page)
            await page.until(0)
        async with held_up_database():
            offers = [
                asyncio.create_task(answer_to(page, t="draw", id=f"many-{number}", do="offer"))
                for number, page in enumerate(ada)
            ]
            refused = [await each for each in islice(asyncio.as_completed(offers), surplus)]
            bobs = asyncio.create_task(answer_to(bob, t="resign", id="leave"))
        assert {frame["reason"] for frame in refused} == {"slow_down"}
        assert (await bobs)["t"] == "receipt"
        answered = [await each for each in offers]
        assert len([frame for frame in answered if frame not in refused]) == MAX_COMMANDS_PER_USER
        # A refused message may be sent again under the same id and is then processed.
        again = await answer_to(ada[0], t="draw", id=refused[0]["id"], do="offer")
        assert again["reason"] == "over"
