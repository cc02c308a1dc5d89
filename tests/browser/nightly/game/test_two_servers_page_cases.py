"""Two web processes: each player's pages come from another server."""

import pytest

from tests.browser.prepared import server_pair_games
from tests.browser.prepared.server_pair_games import check_turns, sit_down
from tests.browser.prepared.whole_games import SPLITS, all_agree
from tests.support.servers.own_servers import missing

pair = server_pair_games.pair
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(400),
]
BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]


@pytest.mark.parametrize("key", BOARDS)
async def test_turns_on_a_board_are_shown_on_both_servers(pair, visit, key):
    await check_turns(pair, visit, key)


async def test_a_whole_game_of_blotto_is_revealed_on_both_servers(pair, visit):
    ada, bob, watchers = await sit_down(pair, visit, "blotto")
    for step in range(5):
        for person, split in ((ada, SPLITS[step]), (bob, SPLITS[step + 1])):
            await person.page.wait_for_selector("#game[data-turn=yours]", timeout=15_000)
            await person.seal(split)
    facts = await all_agree(ada, bob, *watchers)
    assert facts["step"] == "5"
