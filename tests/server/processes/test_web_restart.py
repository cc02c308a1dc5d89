"""The web process of `serve` dies, or its parent does: it is started again, nothing is lost."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.faults.clients.random_turns import random_turn
from tests.support.page_client import PageClient, Timing
from tests.support.servers import prepared_site
from tests.support.servers.server_process import ROOT, Server, Visitor, embedded, start_game
from tests.support.servers.waiting import until
from tests.support.servers.web_process import is_alive, wait_for_web_pid, workers_of

pytestmark = [pytest.mark.embedded("`serve` on one SQLite file"), pytest.mark.timeout(300)]
UNIT = ROOT / "site" / "server" / "deploy" / "systemd" / "quiver@.service"
EVERY_QUARTER_SECOND = Timing(beat_s=1.0, first_delay_s=0.25, longest_delay_s=0.25)


@pytest.fixture
async def server(tmp_path) -> AsyncIterator[Server]:
    server = Server(tmp_path)
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
    assert said.count("runweb ended (signal 9)") == 3
    assert said.count("Preparing the database") == 1 and said.count("Quiver is ready") == 4
    assert said.count("Quiver has stopped") == 1 and "Traceback" not in said


def is_refused(port: int) -> bool:
    """Whether a new connection is refused."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


async def test_a_web_process_that_is_told_to_end_is_replaced(server):
    first = server.web_pid
    os.kill(first, signal.SIGTERM)
    second = await asyncio.to_thread(wait_for_web_pid, server.process.pid, first)
    await until(lambda: not is_refused(server.port), 60)
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
    server = Server(tmp_path, bots=1)
    await server.start()
    try:
        await until(lambda: workers_of(server.process.pid), 60)
        (worker,) = workers_of(server.process.pid)
        killed = server.kill_web()
        await asyncio.to_thread(wait_for_web_pid, server.process.pid, killed)
        await until(lambda: not is_refused(server.port), 60)
        async with httpx.AsyncClient(
            base_url=server.origin, trust_env=False, timeout=60
        ) as anybody:
            await anybody.get("/robots.txt")
        assert workers_of(server.process.pid) == [worker]
        assert await server.stop() == 0
        assert not is_alive(worker)
    finally:
        server.kill()


async def test_a_socket_of_systemd_is_adopted_and_its_connections_wait_for_the_next_process(
    tmp_path,
):
    """By Twisted's own endpoint, as the unit names it."""
    prepared_site.copy_to(tmp_path, {})
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        process = activate(listening, tmp_path, port)
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=60) as visitor:
                page = f"http://localhost:{port}/robots.txt"
                assert (await visitor.get(page)).status_code == 200
                process.kill()
                process.wait()
                answer = asyncio.create_task(visitor.get(page, headers={"Connection": "close"}))
                process = activate(listening, tmp_path, port)
                assert (await answer).status_code == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()


# Becomes a process to which descriptor 3 was passed on: its command is in the arguments.
ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "web"}
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def activate(listening: socket.socket, data: Path, port: int) -> subprocess.Popen[bytes]:
    """Starts a web process as the unit quiver@.service does, with the socket that systemd holds."""
    [line] = re.findall(r"^ExecStart=\S+ (.*)$", UNIT.read_text(), re.MULTILINE)
    fd = listening.fileno()
    return subprocess.Popen(
        [sys.executable, "-c", ACTIVATE, str(fd), *line.replace("%i", str(port)).split()],
        cwd=ROOT,
        env={**embedded(), "QUIVER_DATA": str(data)},
        pass_fds=[fd],
        stdout=subprocess.DEVNULL,
    )
