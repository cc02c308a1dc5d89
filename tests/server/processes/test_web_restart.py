"""The web process of `serve` dies, or its parent does: connections wait, and nothing is lost."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from random import Random

import httpx
import pytest

from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import PageClient, Timing
from tests.support.servers.server_process import AHEAD, Server, Visitor, start_game
from tests.support.servers.waiting import until
from tests.support.servers.web_process import is_alive, kill_web, wait_for_web_pid, workers_of

pytestmark = [pytest.mark.embedded("`serve` on one SQLite file"), pytest.mark.timeout(300)]
EVERY_QUARTER_SECOND = Timing(beat_s=1.0, first_delay_s=0.25, longest_delay_s=0.25)


class PatientServer(Server):
    """A site whose parent refuses nobody, however slowly this machine starts a web process."""

    program = f"""
import sys
sys.path.insert(0, "site")
import server.processes.web_parent
server.processes.web_parent.UP_TIMEOUT_S = 600.0
{AHEAD}"""


class ImpatientServer(Server):
    """A site whose parent refuses connections after two seconds without a web process."""

    program = f"""
import sys
sys.path.insert(0, "site")
import server.processes.web_parent
server.processes.web_parent.UP_TIMEOUT_S = 2.0
{AHEAD}"""


@pytest.fixture
async def server(tmp_path) -> AsyncIterator[Server]:
    server = PatientServer(tmp_path)
    await server.start()
    yield server
    server.kill()


class Match:
    """A game of two people whose pages come back every 250 ms."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people = {"white": Visitor(server), "black": Visitor(server)}
        self.pages: dict[str, PageClient] = {}
        self.random = Random(1)
        self.acknowledged: list[int] = []  # steps

    async def begin(self) -> None:
        """Opens the game and its pages."""
        address = await start_game(*self.people.values(), "amazons-10x10", "none")
        slug = address.rstrip("/").rpartition("/")[2]
        for role, person in self.people.items():
            page = self.pages[role] = PageClient(
                lambda: [self.server.port],
                self.server.origin,
                slug,
                role,
                person.session.removeprefix("sessionid="),
                timing=EVERY_QUARTER_SECOND,
            )
            page.open()
            await page.until(lambda state: True)

    async def act(self) -> None:
        """Plays an action until it is accepted."""
        white = self.pages["white"]
        role, step = white.state["control"][0], white.state["step"]
        state = await self.pages[role].until(lambda state: state["step"] >= step)
        page = self.pages[role]
        answer = await page.ask(
            page.compose("act", step=step, actions=random_turn(state, self.random))
        )
        assert answer["t"] == "receipt", answer
        self.acknowledged.append(step)
        await white.until(lambda state: state["step"] > step)

    async def close(self) -> None:
        """Closes the pages."""
        for page in self.pages.values():
            await page.close()


async def test_an_action_sent_when_the_web_process_is_killed_is_accepted_by_the_next(server):
    match = Match(server)
    await match.begin()
    killed: list[int] = []
    for _ in range(3):
        await match.act()
        killed.append(server.kill_web())
        await match.act()
    assert len({*killed, server.process.pid, server.web_pid}) == 5  # the child died, each time
    assert server.process.poll() is None
    step = match.pages["white"].state["step"]
    assert match.acknowledged == [*range(0, step, 2)]  # a turn has two steps: move, shoot
    await match.close()
    assert await server.stop() == 0
    said = server.log_path.read_text()
    assert said.count("event='web_restarted'") == 3 and "signal 9" in said
    assert said.count("Preparing the database") == said.count("Quiver is ready") == 1
    assert said.count("Quiver has stopped") == 1 and "Traceback" not in said


async def test_while_the_web_process_is_dead_connections_wait_and_none_is_refused(server):
    killed = server.kill_web()
    await until(lambda: not is_alive(killed))
    async with httpx.AsyncClient(base_url=server.origin, trust_env=False, timeout=60) as visitor:
        answers = await asyncio.gather(*(visitor.get("/robots.txt") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert wait_for_web_pid(server.process.pid) != killed


@pytest.mark.nightly
async def test_a_web_process_that_is_not_back_in_time_refuses_until_it_is(tmp_path):
    server = ImpatientServer(tmp_path)
    await server.start()
    killed = kill_web(server.process.pid)
    web = await asyncio.to_thread(wait_for_web_pid, server.process.pid, killed)
    os.kill(web, signal.SIGSTOP)
    await until(lambda: is_refused(server.port), 15)
    os.kill(web, signal.SIGCONT)
    await until(lambda: not is_refused(server.port), 60)
    async with httpx.AsyncClient(base_url=server.origin, trust_env=False, timeout=60) as visitor:
        assert (await visitor.get("/robots.txt")).status_code == 200
    assert await server.stop() == 0


async def test_the_first_web_process_is_no_exception_while_it_migrates_for_long(tmp_path):
    server = ImpatientServer(tmp_path)
    server.process = server._spawn(0)
    try:
        web = await asyncio.to_thread(wait_for_web_pid, server.process.pid)
        await until(lambda: not is_refused(server.port), 20)
        os.kill(web, signal.SIGSTOP)
        await until(lambda: is_refused(server.port), 15)
        os.kill(web, signal.SIGCONT)
        await until(lambda: not is_refused(server.port), 60)
        assert await server.stop() == 0
    finally:
        server.kill()


def is_refused(port: int) -> bool:
    """Whether a new connection is refused."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


async def test_a_web_process_that_is_told_to_end_is_replaced(server):
    first = server.web_pid
    os.kill(first, signal.SIGTERM)
    second = await asyncio.to_thread(wait_for_web_pid, server.process.pid, first)
    async with httpx.AsyncClient(base_url=server.origin, trust_env=False, timeout=60) as visitor:
        assert (await visitor.get("/robots.txt")).status_code == 200
    assert server.web_pid == second
    assert await server.stop() == 0


async def test_when_the_parent_is_killed_the_web_process_and_the_worker_end(tmp_path):
    server = Server(tmp_path, bots=1)
    await server.start()
    try:
        web, parent = server.web_pid, server.process.pid
        await until(lambda: workers_of(parent), 60)
        (worker,) = workers_of(parent)
        os.kill(parent, signal.SIGKILL)
        server.process.wait()
        await until(lambda: not is_alive(web) and not is_alive(worker), 30)
    finally:
        server.kill()
    assert is_refused(server.port)


@pytest.mark.nightly
async def test_the_workers_outlive_the_web_process(tmp_path):
    server = PatientServer(tmp_path, bots=1)
    await server.start()
    try:
        await until(lambda: workers_of(server.process.pid), 60)
        (worker,) = workers_of(server.process.pid)
        server.kill_web()
        async with httpx.AsyncClient(
            base_url=server.origin, trust_env=False, timeout=60
        ) as anybody:
            await anybody.get("/robots.txt")
        assert workers_of(server.process.pid) == [worker]
        assert await server.stop() == 0
        assert not is_alive(worker)
    finally:
        server.kill()


def test_a_stop_before_the_site_is_prepared_is_no_success(tmp_path):
    server = Server(tmp_path, is_prepared=False)
    server.process = server._spawn(0)
    wait_for_web_pid(server.process.pid)
    time.sleep(0.2)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(30) == 128 + signal.SIGTERM
