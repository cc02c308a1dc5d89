"""Two web processes: each player's pages come from another server."""

import asyncio
import random
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from tests.browser.game.test_stories import SPLITS, all_agree
from tests.support.servers.own_servers import missing
from tests.support.servers.server_pair import Pair

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(400),
]
BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> AsyncIterator[Pair]:
    """Both servers, for all stories."""
    pair = Pair(tmp_path_factory.mktemp("pair"))
    try:
        asyncio.run(pair.start())
        yield pair
    finally:
        asyncio.run(pair.stop())


async def sit_down(pair: Pair, visit, key: str):
    """Ada opens a lobby on one server, Bob joins on the other; on each one somebody watches."""
    one, other = (SimpleNamespace(port=server.port) for server in (pair.one, pair.other))
    ada, bob = await visit("ada", line=one), await visit("bob", line=other)
    watchers = [await visit("cy", line=one), await visit("di", line=other)]
    code = await ada.open_lobby(key)
    await bob.join_from_home(code)
    slug, _ = await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    for watcher in watchers:
        await watcher.watch_from_home(slug)
    return ada, bob, watchers


async def same_rev(people) -> None:
    """Waits until all pages show the newest state."""
    newest = max([int((await person.facts())["rev"]) for person in people])
    for person in people:
        await person.page.wait_for_function(
            "rev => Number(document.querySelector('#game').dataset.rev) >= rev", arg=newest
        )


@pytest.mark.parametrize("key", BOARDS)
async def test_turns_on_a_board_are_shown_on_both_servers(pair, visit, key):
    ada, bob, watchers = await sit_down(pair, visit, key)
    rng = random.Random(key)
    for mover in (ada, bob, ada):
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=15_000)
        await mover.play_turn(rng)
    people = (ada, bob, *watchers)
    await same_rev(people)
    boards = [await person.read_board() for person in people]
    assert boards[0] == boards[1] == boards[2] == boards[3]


async def test_a_whole_game_of_blotto_is_revealed_on_both_servers(pair, visit):
    ada, bob, watchers = await sit_down(pair, visit, "blotto")
    for step in range(5):
        for person, split in ((ada, SPLITS[step]), (bob, SPLITS[step + 1])):
            await person.page.wait_for_selector("#game[data-turn=yours]", timeout=15_000)
            await person.seal(split)
    facts = await all_agree(ada, bob, *watchers)
    assert facts["step"] == "5"
