"""Two web processes: each player's pages come from another server."""

from types import SimpleNamespace

import pytest

from tests.browser.prepared import server_pair_games
from tests.browser.prepared.server_pair_games import check_boards
from tests.browser.visitors.browser_visitors import begin_game
from tests.support.servers.own_servers import missing

pair = server_pair_games.pair
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(400),
]


async def test_turns_of_pincer_are_shown_on_both_servers(pair, visit):
    one, other = (SimpleNamespace(port=server.port) for server in (pair.one, pair.other))
    ada, bob, cy = (
        await visit("ada", line=one),
        await visit("bob", line=other),
        await visit("cy", line=other),
    )
    slug = await begin_game(ada, bob, "pincer")
    await cy.watch_from_home(slug)
    await check_boards("pincer", ada, bob, cy)
