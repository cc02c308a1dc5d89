"""First visit of a page: bytes and requests."""

import pytest

from assets.esbuild import find_esbuild
from tests.bench.first_load import first_load
from tests.browser.prepared import first_load_games
from tests.browser.prepared.first_load_games import check_first_load

begin = first_load_games.begin
site = first_load_games.site
pytestmark = pytest.mark.skipif(
    find_esbuild() is None, reason="needs esbuild (apt install esbuild)"
)


async def test_the_first_load_of_a_game_of_pincer_is_small_and_all_from_here(begin) -> None:
    await check_first_load(begin, "pincer")


async def test_home_is_small_and_all_from_here(visit) -> None:
    ada = await visit("ada")
    load = await first_load(ada.page, ada.home)
    assert load.first <= 40_000, load.answers  # with the few games of this module
    assert load.idle == 0
