"""The signals that end `manage.py serve`: of a terminal that closes, and of service managers."""

import asyncio
import json
import os
import signal

import pytest
import websockets

from tests.support.servers.server_process import Server
from tests.support.servers.web_process import is_alive, wait_for_web_pid
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.embedded("`serve` on one SQLite file"), pytest.mark.timeout(120)]


class NohupServer(Server):
    """A site that was started by nohup."""

    program = f"""
import signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
{Server.program}"""


@pytest.mark.processes
async def test_a_closed_terminal_ends_the_site_in_order(tmp_path):
    server = Server(tmp_path)
    handler = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
    await server.start()
    signal.signal(signal.SIGHUP, handler)
    web = server.web_pid
    server.process.send_signal(signal.SIGHUP)
    assert await asyncio.to_thread(server.process.wait, 30) == 0
    assert not is_alive(web)
    assert "Quiver has stopped" in server.log_path.read_text()


@pytest.mark.processes
async def test_a_site_started_by_nohup_outlives_its_terminal(tmp_path):
    server = NohupServer(tmp_path)
    await server.start()
    try:
        server.process.send_signal(signal.SIGHUP)
        killed = server.kill_web()
        successor = await asyncio.to_thread(wait_for_web_pid, server.process.pid, killed)
        assert is_alive(successor) and server.process.poll() is None
    finally:
        server.kill()


@pytest.mark.processes
async def test_a_stop_that_parent_and_child_both_receive_is_one_stop(tmp_path):
    """systemd without `NOTIFY_SOCKET` sends SIGTERM to all processes of a unit."""
    server = Server(tmp_path)
    await server.start()
    address = f"ws://127.0.0.1:{server.port}/ws/"
    async with websockets.connect(address, origin=f"http://localhost:{server.port}") as page:
        await page.send(json.dumps({"t": "subscribe", "topic": "lists"}))
        await page.recv()
        for pid in (server.web_pid, server.process.pid):
            os.kill(pid, signal.SIGTERM)
        frames = []
        with pytest.raises(websockets.ConnectionClosed):
            while True:
                frames.append(json.loads(await asyncio.wait_for(page.recv(), 5)))
    assert frames[-1]["t"] == "bye" and page.close_code == 1012
    await wait_until(lambda: server.process.poll() is not None, "the server ends")
    assert server.process.returncode == 0
