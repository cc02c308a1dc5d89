"""A page learns on its socket that its rated game has been rated."""

import pytest

from play.domain.clocks import now
from play.storage.ended_games import run_follow_ups
from ratings.models import RatingEntry
from tests.support.loop_runtime import game_service
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import Watcher
from tests.support.rated_games import FISCHER, create_accounts, rated_game

pytestmark = pytest.mark.django_db


async def test_a_page_learns_that_the_game_was_rated(at_work) -> None:
    run = game_service().run_in_db_thread
    game = await run(lambda: rated_game(*create_accounts("ada", "bob")))
    async with Watcher(f"rating:{game.slug}") as page:
        assert (await page.next("rating"))["rev"] == 0
        await run(run_follow_ups, now())
        frame = await page.next_due("rating", lambda frame: frame["rev"] > 0)
        assert frame["rev"] == await run(lambda: RatingEntry.objects.get().seq)


async def test_a_game_that_is_being_played_has_no_such_topic(at_work) -> None:
    def begin() -> str:
        return TimedGame(*create_accounts("ada", "bob"), "pincer", FISCHER).slug

    slug = await game_service().run_in_db_thread(begin)
    async with Watcher(f"rating:{slug}") as page:
        assert (await page.next("ended"))["reason"] == "gone"
