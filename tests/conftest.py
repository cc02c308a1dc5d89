"""Fixtures of all tests of the site: people, games and event loops."""

import asyncio
import gc
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.support.run import gates
from tests.support.servers import prepared_site
from tests.support.servers import shared_servers as servers
from tests.support.servers.shared_servers import (  # noqa: F401
    shared_mails,
    shared_pair,
    shared_server,
    shared_server_of,
    shared_servers,
)

# Workers refuse compiled code that other users can write; some systems' umask is 002.
os.umask(os.umask(0o077) | 0o022)
# One place for compiled code in all processes of all tests, kept between runs.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "numba"))
# Modules are compiled once per checkout: not by each of the hundreds of processes that are started.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Hypothesis fails examples that take 200 ms of wall time, or that are drawn slowly: on a busy
# machine any may.
hypothesis.settings.register_profile(
    "busy machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("busy machine")
IS_COMPLETE = os.environ.get("QUIVER_TESTS_COMPLETE") == "1"  # then nothing may be skipped
# Helpers of the browser tests assert too; failures then show the values.
pytest.register_assert_rewrite("tests.browser")
TESTS = Path(__file__).parent
ON_SERVERS = bool(os.environ.get("DATABASE_URL"))  # PostgreSQL in the place of SQLite
OTHER_DATABASE = "embedded" if ON_SERVERS else "networked"  # mark of tests for the other one
OWN_SERVERS = "servers with databases of their own are asked in the run on SQLite"
# Folders whose name is the mark of their tests; tests/README.md has the gates.
MARKING_FOLDERS = ("processes", "browser", "slow", "nightly", "checks")
LONG = ("nightly", "processes", "browser", "slow")  # xdist hands out their files first
POOL_SIZE = 24  # connections to PostgreSQL in a process of the tests
CUT_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
left_out: Counter[str] = Counter()  # why tests were left out of this run


def pytest_configure(config: pytest.Config) -> None:
    """Begin a run, for xdist's workers too."""
    prepared_site.begin_run()
    if not hasattr(config, "workerinput"):
        config.add_cleanup(prepared_site.end_run)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their paths; leave out what this run cannot ask, above all what is about the
    database that it is not on."""
    for item in items:
        folders = item.path.relative_to(TESTS).parts
        for name in MARKING_FOLDERS:
            if name in folders:
                item.add_marker(name)
        if gates.is_dual(item.path):
            item.add_marker("dual")
        if item.get_closest_marker("nightly") and not (gates.IS_NIGHTLY or "nightly" in folders):
            item.add_marker(pytest.mark.left_out("run by `make nightly`"))
        if has_own_servers(item):
            item.add_marker(pytest.mark.embedded(OWN_SERVERS))
    put_shared_servers_first(items)
    put_long_files_first(items)
    marks = {
        item: item.get_closest_marker(OTHER_DATABASE) or item.get_closest_marker("left_out")
        for item in items
    }
    others = [item for item, mark in marks.items() if mark]
    if others:
        left_out.update(marks[item].args[0] for item in others)
        items[:] = [item for item in items if not marks[item]]
        config.hook.pytest_deselected(items=others)


def has_own_servers(item: pytest.Item) -> bool:
    """Return whether a test asks only processes that it starts, and not the database of the run.

    They have databases of their own (`embedded()` in support/servers/server_process.py takes
    DATABASE_URL and REDIS_URL from their environment), so a second run asks the very same again.
    """
    is_database_used = item.get_closest_marker("django_db") or (
        {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    )
    starts = any(map(item.get_closest_marker, ("processes", "servers", "browser")))
    return starts and not is_database_used and not item.get_closest_marker("networked")


def put_shared_servers_first(items: list[pytest.Item]) -> None:
    """Sort files that share servers to the front, so that they follow each other."""
    rank = {(): 2, ("shared_server",): 1}  # the pair, and files that use both, before
    items.sort(key=lambda item: rank.get(servers.fixtures_of(item.path), 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """End the shared servers for which the next test's file does not ask."""
    yield
    servers.end_unneeded(nextitem)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """Hand out files one by one, but those that share servers together, to one worker."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class SharedServersScheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            names = servers.fixtures_of(config.rootpath / file)
            return names[0] if names else file

    return SharedServersScheduling(config, log)


def put_long_files_first(items: list[pytest.Item]) -> None:
    """Sort files with tests that start processes before the others; short tests fill the end.

    xdist hands out whole files in this order (`--no-loadscope-reorder`).
    """
    long = {item.path for item in items if any(map(item.get_closest_marker, LONG))}
    items.sort(key=lambda item: item.path not in long)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the workers of `-n auto`: two more than there are cores where tests start processes.

    Those wait for processes and timers: on two cores a run took 541 s with four workers and 583 s
    with three. `make test` starts none, and took 90 s with four workers and 64 s with two.
    """
    cores = os.cpu_count() or 1
    return cores if "not processes" in config.option.markexpr else cores + 2


def pytest_collection_finish() -> None:
    """Keep the modules and tests that were collected out of the garbage collector's full runs."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error) -> None:
    """Merge the counts of left-out tests from each xdist worker; all have collected the same."""
    left_out.update(Counter(getattr(node, "workeroutput", {}).get("left_out")) - left_out)


def pytest_terminal_summary(terminalreporter) -> None:
    """Print the numbers of left-out tests and the reasons."""
    for why, count in left_out.items():
        terminalreporter.write_line(f"{count} tests left out here: {why}")


@pytest.fixture(scope="session", autouse=True)
def own_redis_database() -> None:
    """Keep the workers of a run on Redis apart."""
    from tests.support.run import redis_databases

    redis_databases.use_own_database()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Test databases as pytest-django makes them, emptied by DELETE between tests.

    On PostgreSQL their commits wait for no disk: tests of crashes of PostgreSQL use servers with
    databases of their own. The databases are dropped only without connections, so connections of
    the tests' threads are cut. The pool has more connections than a process of the site: a thread
    that ends without returning its own takes it from all tests that follow."""
    from django.db import connection

    from tests.support.run import flush_rows

    flush_rows.use_in_tests()
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit TO off")
        connection.close()
        connection.close_pool()
        connection.settings_dict["OPTIONS"]["pool"]["max_size"] = POOL_SIZE
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(CUT_OTHERS)
        connection.close()
        connection.close_pool()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fails the run if something was skipped although everything has to be tested."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(left_out)
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if IS_COMPLETE and exitstatus == 0 and reporter.stats.get("skipped"):
        reporter.write_line("QUIVER_TESTS_COMPLETE is set: nothing may be skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def database_in_one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Roll back what a test writes, also through a game service; see `same_connection`."""
    if not is_rolled_back(request):
        yield
        return
    request.getfixturevalue("db")  # its transaction has begun
    from tests.support.run.same_connection import same_connection

    with same_connection():
        yield


def is_rolled_back(request: pytest.FixtureRequest) -> bool:
    """Return whether a test uses the database inside a transaction that is rolled back."""
    mark = request.node.get_closest_marker("django_db")
    if mark is None and not {"db", "transactional_db"} & set(request.fixturenames):
        return False
    is_transactional = mark is not None and mark.kwargs.get("transaction", False)
    return not (is_transactional or "transactional_db" in request.fixturenames)


@pytest.fixture(autouse=True)
def one_window_of_limits(monkeypatch) -> None:
    """Let no window of a rate limit begin during a test: counts would begin anew."""
    if module := sys.modules.get("accounts.limits.rate_limits"):
        begin = module.now_s()
        monkeypatch.setattr(module, "now_s", lambda: begin)


@pytest.fixture
def people(db):
    """Three users: ada and bob sit down, cy only watches."""
    from accounts.models import User

    return [User.objects.create(username=name) for name in ("ada", "bob", "cy")]


@pytest.fixture
def opened(people):
    """Opens a game between ada (white) and bob (black): `opened("pincer")`.

    All clocks run from its opening, unless it has a `fair` start.
    """
    from django.db import transaction

    from play.domain.clocks import PLAIN_START, Clock
    from play.runtime import game_commands

    def open_now(
        key: str,
        clock: Clock | None = None,
        public: bool = True,
        watch: bool = True,
        fair: bool = False,
        rated: bool = False,
        counted: bool = True,
    ):
        ada, bob, _ = people
        with transaction.atomic():
            seats = {"white": ada, "black": bob}
            return game_commands.open_game(
                key,
                clock or Clock("none"),
                seats,
                public,
                watch=watch,
                terms=None if fair else PLAIN_START,
                rated=rated,
                counted=counted,
            )

    return open_now


@pytest.fixture
def table(opened, at_work):
    """The same from a coroutine: `await table("pincer")`."""
    from tests.support.loop_runtime import game_service

    async def table(*args, **kwargs):
        return await game_service().run_in_db_thread(lambda: opened(*args, **kwargs))

    return table


@pytest.fixture(autouse=True)
def no_runtime_left_open() -> Iterator[None]:
    """A test closes the runtimes that it makes: each holds two connections of the database."""
    yield
    module = sys.modules.get("play.runtime.runtime")
    if module is not None:
        left = [each for each in module.RUNNING.values() if not each.is_closed]
        module.RUNNING.clear()
        assert not left, "a runtime was left open: use the fixture at_work, or close_runtime"


@pytest.fixture
async def at_work() -> AsyncIterator[None]:
    """Close the loop's runtime afterwards, with its connections."""
    from tests.support.loop_runtime import close_runtime

    yield
    await close_runtime()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
