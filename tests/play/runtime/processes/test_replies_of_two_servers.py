"""Conditional replies of two web processes, one of which is killed before it replies."""

import asyncio
import itertools
import json

import psycopg
import pytest

from tests.play.runtime.processes.test_two_servers import seen, sit_down, socket, told
from tests.support.servers.own_servers import missing
from tests.support.servers.server_pair import Pair
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
WHITE = ("move 1 5 2 5", "move 1 7 1 6")
BLACK = ("move 7 7 6 7", "move 7 5 6 5")
OTHER = ("move 7 1 6 1", "move 7 3 6 3")
GAMES = 6
# As a process leaves a plan that dies after the takeback of a turn; the next sweep drops it.
AGE = "UPDATE play_replyplan SET takebacks = takebacks + 1 WHERE game_id = %s"
GAME = "SELECT id FROM play_game WHERE slug = %s"
KEPT = "SELECT 1 FROM play_replyplan WHERE game_id = %s"


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


async def swept(pair: Pair) -> None:
    """Waits until a process has processed all plans that are due now: one is left to it."""
    pages = await sit_down(pair, "pincer")
    await save(pair.other, pages[1], [[WHITE, BLACK]])
    url = pair.one.environment["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as database:
        (game,) = database.execute(GAME, [pages[1].slug]).fetchone()
        assert database.execute(AGE, [game]).rowcount == 1
        await wait_until(lambda: not database.execute(KEPT, [game]).fetchone(), "a sweep")
    await asyncio.gather(*(page.close() for page in (*pages[:2], *pages[2])))


@pytest.mark.nightly
async def test_a_reply_is_played_once_whichever_process_dies_before_it(tmp_path) -> None:
    async with Pair(tmp_path) as pair:
        await kill_between_turn_and_reply(pair)


async def kill_between_turn_and_reply(pair: Pair) -> None:
    """Kills a server when white has acted in some games; starts it again after the replies."""
    tables = [await sit_down(pair, "pincer") for _ in range(GAMES)]
    whites, blacks = [table[0] for table in tables], [table[1] for table in tables]
    await asyncio.gather(*(save(pair.other, black, [[WHITE, BLACK]]) for black in blacks))
    await receipts(whites, GAMES // 2)
    pair.one.kill()
    await seen(2, *blacks)  # the other process sweeps every five seconds
    await pair.one.start()
    await seen(2, *whites)
    await asyncio.gather(*(swept(pair) for _ in range(3)))  # most likely both processes
    for page in (*whites, *blacks):
        assert (page.state["rev"], page.state["step"]) == (2, 4)
    for table in tables:
        for page in (table[0], table[1], *table[2]):
            await page.close()


async def test_a_turn_by_hand_beside_the_reply_is_played_or_refused_never_both(shared_pair) -> None:
    pair = shared_pair
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
    await swept(pair)
    for white, black, others in tables:
        assert (white.state["rev"], white.state["step"]) == (2, 4)
        for page in (white, black, *others):
            await page.close()
