"""Two web processes: each player's pages come from another server."""

import pytest

from tests.browser.prepared import server_pair_games
from tests.browser.prepared.server_pair_games import check_turns
from tests.support.servers.own_servers import missing

pair = server_pair_games.pair
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(400),
]


async def test_turns_of_pincer_are_shown_on_both_servers(pair, visit):
    await check_turns(pair, visit, "pincer")
