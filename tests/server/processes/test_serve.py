"""`manage.py serve` as a real process on loopback."""

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import websockets

from server.local_hosts import lan_hosts
from tests.support.servers import prepared_site
from tests.support.servers.server_process import embedded, free_port, post
from tests.support.servers.web_process import workers_of
from tests.support.waiting import wait_until_sync

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.embedded("`serve` on one SQLite file")


def serve(
    data: Path, port: int, *options: str, is_prepared: bool = True, **environment: str
) -> subprocess.Popen[str]:
    """Starts the site in a process of its own, as the README says."""
    if is_prepared:
        prepared_site.copy_to(data, environment)
    return subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), *options],
        cwd=ROOT,
        env={
            **embedded(),
            "QUIVER_BOTS": "0",
            "QUIVER_NOTICES": "0",
            "QUIVER_DATA": str(data),
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_for(port: int, process: subprocess.Popen[str], host: str = "127.0.0.1") -> None:
    """Waits until the site answers."""

    def does_answer() -> bool:
        assert process.poll() is None, process.communicate()[0]
        try:
            httpx.get(f"http://{host}:{port}/", timeout=5)
        except httpx.TransportError:
            return False
        return True

    wait_until_sync(does_answer, "the site answers")


@pytest.mark.nightly
def test_the_site_begins_and_ends_under_a_plain_c_locale(tmp_path) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process = serve(tmp_path, port := free_port(), is_prepared=False, **locale)
    wait_for(port, process)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=15)
    assert process.returncode == 0, said
    assert r"the pages \u2026" in said


def test_a_first_start_says_where_the_pages_are_and_when_it_has_stopped():
    words = prepared_site.first_start_log()  # of a site on an empty folder; it ended with status 0
    assert re.search(r"http://localhost:\d+/", words)
    assert "has stopped" in words
    assert "Traceback" not in words


def test_every_page_and_file_is_found_under_its_hashed_name(shared_server):
    with httpx.Client(base_url=shared_server.origin) as client:
        page = client.get("/")
        assert page.status_code == 200
        links = [part.split('"')[0] for part in page.text.split('"/static/')[1:]]
        assert links
        for link in links:
            answer = client.get(f"/static/{link}")
            assert answer.status_code == 200, link
            assert "immutable" in answer.headers["cache-control"], link


def test_pages_show_nothing_of_the_inside_when_they_fail(shared_server):
    answer = httpx.get(f"{shared_server.origin}/no-such-page/")
    assert answer.status_code == 404
    assert "urlpatterns" not in answer.text
    assert "DEBUG" not in answer.text


def test_a_second_server_on_the_same_database_says_why_it_does_not_start(shared_server):
    second = serve(shared_server.data, free_port())
    words, _ = second.communicate(timeout=30)
    assert second.returncode == 1
    assert "Another server already runs" in words
    assert "Traceback" not in words


def test_a_taken_port_is_said_in_words(shared_server, tmp_path):
    second = serve(tmp_path, shared_server.port)
    words, _ = second.communicate(timeout=30)
    assert second.returncode == 1
    assert f"Port {shared_server.port} is taken" in words


def test_a_host_that_is_not_ours_is_not_answered(shared_server):
    answer = httpx.get(f"{shared_server.origin}/", headers={"Host": "evil.example"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "https://evil.example",
        "null",
        "http://localhost:1",
        "http://localhost:8000",  # another program of this machine
        "http://localhost.evil",
    ],
)
async def test_a_socket_of_a_foreign_page_is_rejected(shared_server, origin):
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(f"ws://127.0.0.1:{shared_server.port}/ws/", origin=origin)
    assert refused.value.response.status_code == 403


async def test_a_socket_of_our_own_page_is_accepted_and_large_frames_are_refused(shared_server):
    port = shared_server.port
    address = f"ws://127.0.0.1:{port}/ws/"
    async with websockets.connect(address, origin=f"http://localhost:{port}") as page:
        await page.send(json.dumps({"t": "subscribe", "topic": "lists", "rev": "x" * 20_000}))
        while (frame := json.loads(await asyncio.wait_for(page.recv(), 5)))["t"] != "refused":
            pass
        assert frame["reason"] == "too_large"
        await page.send(json.dumps({"t": "ping"}))
        assert json.loads(await asyncio.wait_for(page.recv(), 5))["t"] in ("pong", "lists")
        with pytest.raises(websockets.ConnectionClosed):
            await page.send("x" * 1_000_000)
            while True:
                await asyncio.wait_for(page.recv(), 5)


@pytest.mark.parametrize("path", ["/ws/nope/", "/ws/g/x/y/", "/ws/g//", "/ws/g/", "/ws"])
async def test_a_socket_for_no_address_is_turned_away_in_silence(shared_server, path):
    port = shared_server.port
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(f"ws://127.0.0.1:{port}{path}", origin=f"http://localhost:{port}")
    assert refused.value.response.status_code == 403


@pytest.mark.nightly
def test_the_pulse_beats_before_anybody_has_come(tmp_path):
    port = free_port()
    process = serve(tmp_path, port, is_prepared=False)
    try:
        wait_until_sync(lambda: pulse(tmp_path) is not None, "the pulse beats", 60)
    finally:
        process.kill()
        process.wait()


def pulse(data: Path) -> int | None:
    """The time of the server's heartbeat in its database; None before the migration."""
    try:
        with closing(sqlite3.connect(data / "quiver.sqlite3")) as database:
            row = database.execute("select at from play_heartbeat").fetchone()
    except sqlite3.OperationalError:  # not migrated yet
        return None
    return row and row[0]


def invitation(port: int, host: str) -> str:
    """The link that a lobby shows to whoever opens it under a host name."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", follow_redirects=True) as client:
        client.headers["Host"] = host
        form = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
        page = post(client, "/lobbies/", **form)
        assert page.status_code == 200
        return re.search(r'id="link"[^>]* value="([^"]*)"', page.text)[1]


def test_serve_lan_tells_the_address_for_a_friend_and_answers_to_it(tmp_path):
    port, names = free_port(), lan_hosts()  # at least the machine's own name
    process = serve(tmp_path, port, "--lan")
    try:
        wait_for(port, process)
        friendly = f"http://{names[0]}:{port}/"
        for host in ("localhost", *names):
            assert invitation(port, f"{host}:{port}").startswith(f"{friendly}l/")
        process.send_signal(signal.SIGINT)
        words, _ = process.communicate(timeout=15)
    finally:
        process.kill()
    assert process.returncode == 0
    assert friendly in words and "has stopped" in words and "Traceback" not in words


async def test_a_site_listens_at_an_address_of_ipv6(tmp_path):
    port = free_port()
    process = serve(tmp_path, port, "--host", "::1")
    try:
        wait_for(port, process, "[::1]")
        async with httpx.AsyncClient(trust_env=False, timeout=10) as visitor:
            assert (await visitor.get(f"http://[::1]:{port}/")).status_code == 200
            with pytest.raises(httpx.ConnectError):
                await visitor.get(f"http://127.0.0.1:{port}/")
        origin = f"http://[::1]:{port}"
        async with websockets.connect(f"ws://[::1]:{port}/ws/", origin=origin) as page:
            await page.send(json.dumps({"t": "ping"}))
            assert json.loads(await asyncio.wait_for(page.recv(), 5))["t"] == "pong"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)
    assert "Traceback" not in process.stdout.read()


def test_with_hosts_of_its_own_a_site_does_not_answer_to_localhost(tmp_path):
    port = free_port()
    about = {"QUIVER_HOSTS": "play.example.org,www.example.org", "QUIVER_MAIL_URL": "off"}
    process = serve(tmp_path, port, **about)
    try:
        wait_for(port, process)
        for host in ("localhost", "127.0.0.1", f"localhost:{port}", "[::1]", "play.example.org:1"):
            answer = httpx.get(f"http://127.0.0.1:{port}/", headers={"Host": host})
            assert answer.status_code == 400, host
        for host in ("play.example.org", "www.example.org", f"www.example.org:{port}"):
            assert invitation(port, host).startswith(f"http://play.example.org:{port}/l/")
        process.send_signal(signal.SIGINT)
        words, _ = process.communicate(timeout=15)
    finally:
        process.kill()
    assert f"Open  http://play.example.org:{port}/" in words and "localhost" not in words


async def test_pages_are_sent_away_with_a_notice_when_the_server_stops(tmp_path):
    port = free_port()
    process = serve(tmp_path, port)
    try:
        await asyncio.to_thread(wait_for, port, process)
        address = f"ws://127.0.0.1:{port}/ws/"
        async with websockets.connect(address, origin=f"http://localhost:{port}") as page:
            await page.send(json.dumps({"t": "subscribe", "topic": "lists"}))
            await page.recv()
            process.send_signal(signal.SIGTERM)
            frames = []
            with pytest.raises(websockets.ConnectionClosed):
                while True:
                    frames.append(json.loads(await asyncio.wait_for(page.recv(), 5)))
        assert frames[-1]["t"] == "bye"
        assert page.close_code == 1012
        assert process.wait(15) == 0
    finally:
        process.kill()


def test_mails_link_to_the_port_that_was_chosen(tmp_path):
    port = free_port()
    process = serve(tmp_path, port, QUIVER_NOTICES="1")
    try:
        wait_for(port, process)
        (worker,) = wait_for_workers(process.pid)
        command = Path(f"/proc/{worker}/cmdline")  # at first that of its parent
        wait_until_sync(lambda: b"--origin" in command.read_bytes(), "the worker has its command")
        arguments = command.read_bytes().split(b"\0")
        assert arguments[arguments.index(b"--origin") + 1].decode() == f"http://localhost:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(15) == 0


def wait_for_workers(pid: int) -> list[int]:
    """Waits until a `serve` has started processes beside the web process."""
    return wait_until_sync(lambda: workers_of(pid), "a process is started")
