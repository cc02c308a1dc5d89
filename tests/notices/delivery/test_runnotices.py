"""`manage.py runnotices`: the runner's loops, its process, and its parent."""

import asyncio
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from accounts.site_links import absolute_url
from notices.delivery.runner import Runner
from notices.models import Kind, Notice, Post
from play.domain.clocks import now
from play.management.worker_command import WorkerCommand
from tests.support.page_visitors import someone
from tests.support.run.database_threads import run_in_thread
from tests.support.servers import prepared_site
from tests.support.servers.push_server import PushServer, transport_to, write_certificate
from tests.support.servers.server_process import ROOT, embedded
from tests.support.waiting import wait_until

LIGHT = """
import sys
sys.path[:0] = ["site", "."]
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
import notices.delivery.runner, notices.push.transport
import notices.management.commands.runnotices
import play.runtime.runtime
heavy = ("numba", "numpy", "scipy", "games.players.search", "bots.worker")
print([name for name in heavy if name in sys.modules])
"""


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    plain = {**embedded(), "QUIVER_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    prepared_site.copy_to(tmp_path, plain)
    return plain


def start(environment, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "runnotices", *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert "sent from here" in process.stdout.readline()


@pytest.mark.processes
@pytest.mark.embedded("a process beside one SQLite file")
def test_it_ends_with_its_parent(environment) -> None:
    process = start(environment, "--tied")
    wait_until_ready(process)
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.processes
@pytest.mark.embedded("a process beside one SQLite file")
def test_it_ends_when_it_is_told_to(environment) -> None:
    process = start(environment)
    wait_until_ready(process)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[0]
    assert process.returncode == 0
    assert "have stopped" in said
    assert "Traceback" not in said


@pytest.mark.processes
@pytest.mark.embedded("a process beside one SQLite file")
def test_without_a_database_it_says_so(tmp_path) -> None:
    process = start({**embedded(), "QUIVER_DATA": str(tmp_path)})
    assert "There is no database" in process.communicate(timeout=60)[0]
    assert process.returncode == 1


@pytest.mark.parametrize("origin", ["", "play.example.org", "ftp://play.example.org", "http://"])
def test_an_origin_that_is_none_is_refused(origin) -> None:
    with pytest.raises(CommandError, match="--origin"):
        call_command("runnotices", origin=origin)


def test_links_begin_with_the_origin_that_it_was_told(settings, monkeypatch) -> None:
    settings.ORIGIN = "http://localhost:8000"
    monkeypatch.setattr(WorkerCommand, "handle", lambda *args, **options: None)
    call_command("runnotices")
    assert absolute_url("/lobbies/") == "http://localhost:8000/lobbies/"
    call_command("runnotices", origin="http://192.168.0.2:8321")
    assert absolute_url("/lobbies/") == "http://192.168.0.2:8321/lobbies/"


@pytest.mark.processes
def test_it_loads_no_engine(tmp_path) -> None:
    env = {**embedded(), "QUIVER_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LIGHT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.fixture
async def push_server(tmp_path):
    server = PushServer(write_certificate(tmp_path))
    await server.start()
    yield server
    await server.stop()


def make_notices(device_of, count: int) -> None:
    """Notices whose pushes are due at once, for a user each."""
    at = now() - 20_000
    for number in range(count):
        user = someone(f"user{number}")
        device_of(user)
        Notice.objects.create(
            user=user,
            kind=Kind.JOINED,
            subject="abc",
            data={"rules": "pincer", "name": "bob", "game": "abc"},
            created=at,
            due=at,
        )


async def run_until(server: PushServer, holds, seconds: float = 60.0) -> None:
    """Run a runner with a push server until something holds in the database."""
    runner = Runner(make_transport=lambda: transport_to(server.port, server.certificate))
    task = asyncio.create_task(runner.run())
    try:
        await wait_until(lambda: run_in_thread(holds), "the posts are as wanted", seconds)
    finally:
        runner.end()
        await task


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
async def test_notices_become_pushes(push_server, device_of, at_work) -> None:
    await run_in_thread(lambda: make_notices(device_of, 5))
    await run_until(push_server, lambda: Post.objects.filter(state="sent").count() == 5)
    assert len(push_server.shown) == 5
    assert set(push_server.shown.values()) == {1}


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
async def test_a_service_that_fails_at_first_is_asked_again(
    push_server, device_of, at_work
) -> None:
    push_server.answer = lambda received: 503 if len(push_server.requests) <= 3 else 201
    await run_in_thread(lambda: make_notices(device_of, 3))
    await run_until(push_server, lambda: Post.objects.filter(state="sent").count() == 3)
    assert len(push_server.shown) == 3


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
async def test_a_push_under_way_at_the_end_is_given_back(push_server, device_of, at_work) -> None:
    push_server.answer = lambda received: -1  # accepts, and never answers
    await run_in_thread(lambda: make_notices(device_of, 1))
    await run_until(push_server, lambda: bool(push_server.shown))

    def left() -> tuple[str, bool]:
        post = Post.objects.get()
        return post.state, post.due <= now()

    assert await run_in_thread(left) == ("waiting", True)
