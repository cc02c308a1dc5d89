"""A game that is zoomed: nothing is lost."""

from tests.browser.probes.cut_texts import check_zoomed_game


async def test_a_game_of_pincer_that_is_zoomed_scrolls_and_loses_nothing(visit):
    await check_zoomed_game(visit, "pincer")
