"""Games whose players are on two servers that share PostgreSQL and Redis."""

import asyncio
import random
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from tests.support.servers.server_pair import Pair


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> AsyncIterator[Pair]:
    """Both servers, for all stories."""
    with asyncio.Runner() as runner:
        pair = runner.run(Pair(tmp_path_factory.mktemp("pair")).__aenter__())
        yield pair
        runner.run(pair.__aexit__())


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


async def check_turns(pair: Pair, visit, key: str) -> None:
    """Plays three turns and checks that both servers show the same board."""
    ada, bob, watchers = await sit_down(pair, visit, key)
    await check_boards(key, ada, bob, *watchers)


async def check_boards(key: str, ada, bob, *watchers) -> None:
    """Plays three turns, and checks that the pages of all show the same board."""
    rng = random.Random(key)
    for mover in (ada, bob, ada):
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=15_000)
        await mover.play_turn(rng)
    people = (ada, bob, *watchers)
    await same_rev(people)
    boards = [await person.read_board() for person in people]
    assert all(board == boards[0] for board in boards)
