"""A complete game of two people and a spectator, from the front page to the end."""

import pytest

from tests.browser.prepared.short_games import AMAZONS_8X8
from tests.browser.prepared.whole_games import play_board_game


@pytest.mark.timeout(240)
async def test_two_people_play_a_whole_game_of_amazons_8x8_and_a_third_watches(visit, proxy):
    await play_board_game(visit, proxy, "amazons-8x8", AMAZONS_8X8)
