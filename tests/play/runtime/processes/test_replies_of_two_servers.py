"""Conditional replies of two web processes, one of which is killed before it replies."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator

import pytest

from tests.play.runtime.processes.test_two_servers import seen, sit_down, socket, told
from tests.support.servers.own_servers import missing
from tests.support.servers.server_pair import Pair

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
WHITE = ("move 1 5 2 5", "move 1 7 1 6")
BLACK = ("move 7 7 6 7", "move 7 5 6 5")
OTHER = ("move 7 1 6 1", "move 7 3 6 3")
GAMES = 6


@pytest.fixture
async def pair(tmp_path) -> AsyncIterator[Pair]:
    async with Pair(tmp_path) as pair:
        yield pair


async def save(server, page, lines) -> None:
    """Saves the conditional replies of a page's player."""
    topic = f"replies:{page.slug}"
    async with socket(server, topic, f"sessionid={page.session}") as line:
        await told(line, "replies", lambda frame: True)
        frame = {"t": "save_replies", "topic": topic, "id": "save", "step": 0, "takebacks": 0}
        await line.send(json.dumps({**frame, "lines": lines}))
        await told(line, "saved", lambda frame: True)


async def receipts(pages, count: int) -> None:
    """Sends white's turn in all games at once, and waits for some of the receipts."""
    frames = [page.compose("act", step=0, actions=list(WHITE)) for page in pages]
    asked = [page.expect(frame) for page, frame in zip(pages, frames, strict=True)]
    await asyncio.gather(*(page.send(frame) for page, frame in zip(pages, frames, strict=True)))
    for answer in itertools.islice(asyncio.as_completed(asked), count):
        await answer


@pytest.mark.nightly
async def test_a_reply_is_played_once_whichever_process_dies_before_it(pair) -> None:
    tables = [await sit_down(pair, "pincer") for _ in range(GAMES)]
    whites, blacks = [table[0] for table in tables], [table[1] for table in tables]
    await asyncio.gather(*(save(pair.other, black, [[WHITE, BLACK]]) for black in blacks))
    await receipts(whites, GAMES // 2)
    pair.one.kill()
    await seen(2, *blacks)  # the other process sweeps every five seconds
    await pair.one.start()
    await seen(2, *whites)
    await asyncio.sleep(6)  # both processes have swept
    for page in (*whites, *blacks):
        assert (page.state["rev"], page.state["step"]) == (2, 4)
    for table in tables:
        for page in (table[0], table[1], *table[2]):
            await page.close()


async def test_a_turn_by_hand_beside_the_reply_is_played_or_refused_never_both(pair) -> None:
    tables = [await sit_down(pair, "pincer") for _ in range(GAMES)]
    for white, black, _ in tables:
        await save(pair.other, black, [[WHITE, BLACK]])
        white_frame = white.compose("act", step=0, actions=list(WHITE))
        hand = black.compose("act", step=2, actions=list(OTHER))
        answers = await asyncio.gather(white.ask(white_frame), black.ask(hand))
        while answers[1]["t"] == "refused" and black.rev < 2:
            hand = black.compose("act", step=2, actions=list(OTHER))
            answers = answers[0], await black.ask(hand)
        await seen(2, white, black)
    await asyncio.sleep(6)
    for white, black, others in tables:
        assert (white.state["rev"], white.state["step"]) == (2, 4)
        for page in (white, black, *others):
            await page.close()
