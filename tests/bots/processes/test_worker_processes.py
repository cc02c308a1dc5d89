"""Workers as real processes: killed while thinking, started by serve, stopped."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from games.catalogue import rules_of
from games.players.levels import levels_of
from tests.support.servers import prepared_site
from tests.support.servers.server_process import ROOT, Server, Visitor, embedded
from tests.support.servers.web_process import workers_of
from tests.support.servers.worker_processes import BARE, Site, is_running, kill
from tests.support.waiting import wait_until

pytestmark = pytest.mark.embedded("workers beside one SQLite file")
ACTS = "select count(*), count(distinct rev) from play_entry where kind = 'act'"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    prepared_site.copy_to(tmp_path, site.environment)
    yield site
    site.close()


def test_a_worker_killed_while_it_thinks_is_replaced(site):
    slow = site.work("stuck", 60.0)
    slug = site.open("pincer")
    site.until(lambda: site.who_thinks() == [slow.pid])
    quick = site.work("slow", 0.2)
    site.until(lambda: site.alive() == 1)
    time.sleep(1)
    assert site.steps(slug) == 0
    slow.kill()
    taken = site.until(lambda: site.steps(slug) == 2)
    assert quick.poll() is None
    assert taken > 0.5  # it did not think for a seat of a worker that was alive
    assert site.ask(ACTS) == [(1, 1)]


@pytest.mark.nightly
def test_two_workers_that_are_killed_again_and_again_play_every_step_once(site):
    slug = site.open("blotto", "computer(7)")
    for _ in range(2):
        site.work("slow", 0.5)
    for _ in range(4):
        site.until(lambda: site.who_thinks() or over(site, slug))
        if over(site, slug):
            break
        time.sleep(0.1)
        for worker in [worker for worker in site.workers if worker.pid in site.who_thinks()]:
            worker.kill()
            worker.wait()
            site.work("slow", 0.5)
    site.until(lambda: over(site, slug))
    steps = site.ask("select number from play_step order by id")
    assert steps == [(number,) for number in range(5)]
    assert site.ask(ACTS) == [(10, 10)]
    assert site.ask("select count(*) from bots_lease where until > ?", 1e15) == [(0,)]


def over(site: Site, slug: str) -> bool:
    """Whether a game has ended."""
    return site.ask("select ended from play_game where slug = ?", slug)[0][0] is not None


def test_a_worker_that_is_told_to_end_gives_back_its_seat_and_leaves(site):
    worker = site.work("slow", 60.0)
    site.open("pincer")
    site.until(lambda: site.who_thinks())
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0  # its thought would take a minute
    assert site.ask("select count(*) from bots_lease") == [(0,)]
    assert site.ask("select count(*) from bots_worker") == [(0,)]
    assert "have stopped" in site.log_path.read_text()
    assert "Traceback" not in site.log_path.read_text()


def test_a_worker_without_numba_plays_the_low_levels_and_leaves_the_others_alone(site):
    high, low = site.open("pincer", level=8), site.open("pincer", level=2)
    site.work("bare")
    site.until(lambda: site.steps(low) == 2)
    site.until(lambda: site.alive() == 1)
    assert site.steps(high) == 0
    assert "numba is not installed" in site.log_path.read_text()
    assert "Traceback" not in site.log_path.read_text()


@pytest.mark.nightly
@pytest.mark.parametrize("error", ["ImportError", "AttributeError", "OSError"])
def test_a_worker_whose_numba_is_broken_plays_the_low_levels_and_says_so(site, error):
    broken = site.data / "broken" / "numba"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(f"raise {error}('too old for numpy')")
    site.environment["PYTHONPATH"] = str(broken.parent)
    high, low = site.open("pincer", level=8), site.open("amazons-8x8", level=1)
    site.work("own")
    site.until(lambda: site.steps(low) == 2)
    site.until(lambda: site.alive() == 1)
    assert site.steps(high) == 0
    assert site.ask("select why from bots_thinking where why = 'failed'") == []
    assert site.ask("select has_numba from bots_worker") == [(0,)]
    assert f"numba cannot be loaded ({error}: too old for numpy)" in site.log_path.read_text()
    assert "Traceback" not in site.log_path.read_text()


def test_a_worker_without_a_database_says_so(tmp_path):
    done = Site(tmp_path).manage("runbots")
    assert done.returncode == 1
    assert "There is no database" in done.stderr and "migrate" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "quiver.sqlite3").exists()


def test_a_worker_on_a_database_that_is_not_prepared_says_so(tmp_path):
    site = Site(tmp_path)
    (tmp_path / "quiver.sqlite3").touch()
    done = site.manage("runbots")
    assert done.returncode == 1
    assert "not prepared" in done.stderr and "Traceback" not in done.stderr


def test_a_worker_on_a_file_that_is_no_database_says_so(tmp_path):
    (tmp_path / "quiver.sqlite3").write_text("This is not a database. " * 99)
    done = Site(tmp_path).manage("runbots")
    assert done.returncode == 1
    assert "cannot be used" in done.stderr and "Traceback" not in done.stderr


def workers(server: Server) -> list[tuple[str, int]]:
    """The workers that the database of a server knows, with their last heartbeats."""
    return Site(server.data).ask("select name, at from bots_worker")


def children(server: Server) -> list[int]:
    """The workers that a server has started beside its web process."""
    return workers_of(server.process.pid)


async def until(holds, seconds: float = 40.0) -> float:
    """Waits until something holds; returns the seconds that it took."""
    start = time.monotonic()
    await wait_until(holds, "see the line of the test", seconds)
    return time.monotonic() - start


def started(server: Server, code: str) -> subprocess.Popen[bytes]:
    """Starts a server without workers by some code that runs `manage.py`."""
    with server.log_path.open("wb") as words:
        return subprocess.Popen(
            [sys.executable, "-c", code, "serve", "--port", str(server.port)],
            cwd=ROOT,
            env={
                **embedded(),
                "QUIVER_DATA": str(server.data),
                "QUIVER_BOTS": "0",
                "QUIVER_NOTICES": "0",
            },
            stdout=words,
            stderr=words,
        )


async def answering(visitor: Visitor) -> None:
    """Returns when the site answers."""

    async def does_answer() -> bool:
        try:
            await visitor.client.get("/robots.txt")
        except httpx.TransportError:
            return False
        return True

    await wait_until(does_answer, "the site answers", 60)


async def test_serve_keeps_a_worker_alive_that_goes_on_where_the_last_one_died(tmp_path):
    server = Server(tmp_path, bots=1)
    await server.start()
    await until(lambda: workers(server))
    (first,), ((name, at),) = children(server), workers(server)
    kill(first)
    await until(lambda: children(server) not in ([], [first]))
    (second,) = children(server)
    await until(lambda: workers(server)[0][1] > at + 2_000)
    assert [name for name, _ in workers(server)] == [name]
    assert await server.stop() == 0
    assert not is_running(second)
    assert workers(server) == []
    assert "Traceback" not in server.log_path.read_text()


async def test_the_worker_of_a_server_that_is_killed_ends_as_well(tmp_path):
    server = Server(tmp_path, bots=1)
    await server.start()
    await until(lambda: workers(server))
    (child,) = children(server)
    server.kill()
    await until(lambda: not is_running(child), 10)


async def test_serve_makes_the_computer_players_and_no_worker_if_none_is_wanted(tmp_path):
    server = Server(tmp_path, bots=0)
    await server.start()
    bots = Site(tmp_path).ask("select username from accounts_user where level order by level")
    await asyncio.sleep(2)
    assert workers(server) == []
    assert await server.stop() == 0
    assert [name for (name,) in bots][::7] == ["Wren", "Eagle"]


@pytest.mark.nightly
async def test_a_server_without_numba_says_which_levels_are_off(tmp_path):
    server = Server(tmp_path)
    server.process = await asyncio.to_thread(started, server, BARE)
    visitor = Visitor(server)
    await answering(visitor)
    assert (await visitor.get("/")).status_code == 200
    assert await server.stop() == 0
    (line,) = [line for line in server.log_path.read_text().splitlines() if "numba is" in line]
    for key in ("pincer", "amazons-10x10"):
        off = [level.number for level in levels_of(key) if level.needs_numba]
        assert f"{rules_of(key).name} {off[0]} to {off[-1]}" in line


HEAVY = """
import atexit, runpy, sys
def tell():
    heavy = {"numba", "numpy", "scipy", "llvmlite"} & {name.split(".")[0] for name in sys.modules}
    print("imported:", sorted(heavy), "levels" if "games.players.levels" in sys.modules else "")
atexit.register(tell)
sys.argv[0] = "manage.py"
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.nightly
async def test_the_web_process_never_imports_what_only_workers_need(tmp_path):
    server = Server(tmp_path)
    server.process = await asyncio.to_thread(started, server, HEAVY)
    visitor = Visitor(server)
    await answering(visitor)
    lobby = await visitor.post(
        "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
    )
    Site(tmp_path).open("pincer", "computer(7)")
    for path in ("/", lobby, "/u/Eagle/", "/new/"):
        await visitor.get(path)
    assert await server.stop() == 0
    told = server.log_path.read_text()
    assert "imported: [] levels" in told, told
