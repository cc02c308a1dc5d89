"""Searches on two web processes: strangers are paired once, by the process with the lease."""

import asyncio
import json
import time
from contextlib import suppress

import psycopg
import pytest

from lobby.pairing.pairing_round import LEASE, LEASE_MS
from tests.play.runtime.processes.test_two_servers import socket, told
from tests.support.servers.own_servers import missing
from tests.support.servers.server_pair import Pair
from tests.support.servers.server_process import Server, Visitor
from tests.support.topic_frames import Frame, on_topic
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
SECONDS_MORE = 4  # for a slow machine
# The games of all who have searched for a kind of game, by seats.
SEATS = """
SELECT slug, role FROM play_seat JOIN play_game ON play_game.id = game_id
JOIN lobby_search ON lobby_search.user_id = play_seat.user_id
WHERE choices::text LIKE %s"""
ENDED = "SELECT why FROM lobby_search WHERE state = 'ended' AND choices::text LIKE %s"
GONE_AFTER_S = 8  # a page has 2.5 s to come back, or 3 s to answer


# Each test searches for a game of its own: nobody whom another test has left is paired.
async def searcher(server: Server, game: str) -> str:
    """A stranger who has pressed "Find an opponent"; the session of the guest."""
    visitor = Visitor(server)
    assert await visitor.post("/play/online/", game=game, pace="0") == "/play/online/"
    session = visitor.session
    await visitor.client.aclose()
    return session


def search_page(server: Server, session: str):
    """The page of a search."""
    return socket(server, "search", session)


async def state(line, wanted: str) -> Frame:
    """The first frame of a search in a state."""
    return await told(line, "search", lambda frame: frame["state"] == wanted)


async def answer(line, frame: Frame, tab: str) -> None:
    sent = {"t": "answer", "pairing": frame["pairing"], "yes": True, "tab": tab}
    await line.send(json.dumps(on_topic(sent, "search")))


def rows(pair: Pair, question: str, *values: object) -> list[tuple]:
    """The rows that the database answers with."""
    with psycopg.connect(pair.one.environment["DATABASE_URL"]) as database:
        return database.execute(question, values).fetchall()


async def test_two_strangers_on_two_servers_are_paired_once(shared_pair):
    pair = shared_pair
    sessions = [await searcher(server, "pincer") for server in (pair.one, pair.other)]
    async with (
        search_page(pair.one, sessions[0]) as ada,
        search_page(pair.other, sessions[1]) as bob,
    ):
        questions = [await state(line, "asked") for line in (ada, bob)]
        await asyncio.gather(
            *(
                answer(line, frame, tab)
                for line, frame, tab in zip((ada, bob), questions, "ab", strict=True)
            )
        )
        games = [(await state(line, "paired"))["game"] for line in (ada, bob)]
    assert games[0] == games[1]
    slug = games[0].strip("/").split("/")[-1]
    assert sorted(rows(pair, SEATS, '%"pincer"%')) == [(slug, "black"), (slug, "white")]


async def answer_all(line, seconds: float) -> int:
    """Answers each question at once for a while, as a page does; returns how many were asked."""
    asked = set()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                frame = json.loads(await line.recv())
                if frame["t"] == "search" and frame["state"] == "asked":
                    asked.add(frame["pairing"])
                    await answer(line, frame, "tab")
    return len(asked)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("game", "is_closed"),
    [("amazons", True), ("amazons-10x10", False)],
    ids=["closed", "cut cable"],
)
async def test_a_page_that_is_gone_gets_nobody_into_a_game(shared_pair, game, is_closed):
    pair = shared_pair
    sessions = [await searcher(server, game) for server in (pair.other, pair.one)]
    async with (
        search_page(pair.other, sessions[0]) as gone,
        search_page(pair.one, sessions[1]) as ada,
    ):
        if is_closed:
            gone.transport.abort()
        asked = await answer_all(ada, GONE_AFTER_S)
        assert is_closed or asked
        frame = await told(ada, "search", lambda frame: not frame["answered"])
        assert frame["state"] == "looking"
    ended = rows(pair, ENDED, f'%"{game}"%')
    assert ended[0] == ("left",) if is_closed else ("no_answer",) in ended
    assert rows(pair, SEATS, f'%"{game}"%') == []


@pytest.mark.nightly
async def test_the_other_server_pairs_when_the_one_that_did_has_died(tmp_path):
    async with Pair(tmp_path) as pair:
        await kill_the_holder(pair)


async def kill_the_holder(pair: Pair) -> None:
    """Kills the server that pairs; two strangers on the other are paired in time."""
    holder_of = f"SELECT process FROM play_lease WHERE name = '{LEASE}'"
    session = await searcher(pair.other, "blotto")
    async with search_page(pair.other, session) as line:
        await state(line, "looking")
        holder = await wait_until(lambda: rows(pair, holder_of), "the server takes the lease")
        pair.other.kill()
    pair.other.process = None
    sessions = [await searcher(pair.one, "pincer") for _ in range(2)]
    async with (
        search_page(pair.one, sessions[0]) as ada,
        search_page(pair.one, sessions[1]) as bob,
    ):
        start = time.monotonic()
        for page in (ada, bob):
            assert await state(page, "asked")
        assert time.monotonic() - start < LEASE_MS / 1000 + SECONDS_MORE
    assert rows(pair, holder_of) != holder
