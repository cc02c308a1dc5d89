"""A prepared site, copied by each server that a test starts: migrated tables, collected files.

A server on an empty folder spends 4 of its first 5 CPU seconds on migrations and on collecting
static files. One run of the tests prepares that once, for all of its xdist workers.
"""

import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.support.waiting import wait_until_sync

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = "QUIVER_TEST_PREPARED"  # set for the run by the process that begins it
DATABASE: Final = "quiver.sqlite3"
BESIDE_STATIC: Final = ("manifest.json", "stamp")  # the stamp last: it says that all is there
LOG: Final = "first_start.txt"
START_TIMEOUT_S: Final = 120.0


def begin_run() -> None:
    """Make the folder of this run, unless this process is a worker of one that has begun."""
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="quiver-prepared-")


def end_run() -> None:
    """Remove the folder and the template database of this run."""
    folder = Path(os.environ.pop(FOLDER))
    for url in (folder / "postgres").read_text().split() if (folder / "postgres").exists() else []:
        _drop(url)
    shutil.rmtree(folder, ignore_errors=True)


def copy_to(data: Path, environment: Mapping[str, str]) -> None:
    """Give a site that has not started yet the tables and the collected files of a new one.

    `environment` is that of the site. Nothing is done outside a run of the tests.
    """
    if FOLDER not in os.environ:
        return
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not environment.get("DATABASE_URL") and not (data / DATABASE).exists():
        shutil.copy2(_site() / DATABASE, data / DATABASE)
    static = Path(environment.get("QUIVER_STATIC") or data / "static")
    if not has_static_files(static):
        shutil.copytree(_site() / "static", static, dirs_exist_ok=True)
        for ending in BESIDE_STATIC:
            shutil.copy2(_site() / f"static.{ending}", static.with_name(f"{static.name}.{ending}"))


def first_start_log() -> str:
    """Return the output of the `serve` that prepared the site on an empty folder, and ended."""
    return (_site().with_name(LOG)).read_text(encoding="utf-8")


def has_static_files(static: Path) -> bool:
    """Return whether `serve` has collected files in this folder."""
    return static.with_name(f"{static.name}.stamp").exists()


def template_database(server: str) -> str:
    """Return the name of a migrated database on a PostgreSQL server, for CREATE DATABASE.

    Outside a run of the tests that is PostgreSQL's own empty template.
    """
    if FOLDER not in os.environ:
        return "template1"
    file = Path(os.environ[FOLDER]) / "postgres"
    with _locked():
        if not file.exists():
            url = (
                urlsplit(server)._replace(path=f"/quiver_template_{secrets.token_hex(6)}").geturl()
            )
            _execute(server, f"CREATE DATABASE {urlsplit(url).path[1:]}")
            file.write_text(url)
            environment = {**_environment(file.with_name("migrating")), "DATABASE_URL": url}
            environment["QUIVER_SECRET"] = secrets.token_urlsafe(48)
            command = [sys.executable, "manage.py", "migrate", "-v", "0"]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return urlsplit(file.read_text()).path[1:]


def _site() -> Path:
    """Return the data folder of a site that was started once and stopped."""
    folder = Path(os.environ[FOLDER])
    data = folder / "data"
    with _locked():
        if not data.exists():
            fresh = folder / "fresh"
            fresh.mkdir(mode=0o700, exist_ok=True)
            _serve_once(fresh)
            fresh.rename(data)
    return data


def _serve_once(data: Path) -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    log = data.with_name(LOG)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=_environment(data), stdout=output, stderr=output
        )
    try:

        def does_answer() -> bool:
            assert process.poll() is None, log.read_text()
            return _answers(port)

        wait_until_sync(does_answer, log.read_text, START_TIMEOUT_S)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(b"GET /robots.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return bool(line.recv(1))
    except OSError:
        return False


def _environment(data: Path) -> dict[str, str]:
    """Return the environment of a site with nothing set but its folder."""
    plain = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    plain = {k: v for k, v in plain.items() if not k.startswith("QUIVER_")}
    return {
        **plain,
        "QUIVER_DATA": str(data),
        "QUIVER_BOTS": "0",
        "QUIVER_NOTICES": "0",
        "QUIVER_EXHIBITION": "0",
    }


@contextmanager
def _locked() -> Iterator[None]:
    with (Path(os.environ[FOLDER]) / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _execute(server: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement)


def _drop(url: str) -> None:
    server = urlsplit(url)._replace(path="/postgres").geturl()
    _execute(server, f"DROP DATABASE IF EXISTS {urlsplit(url).path[1:]} WITH (FORCE)")
