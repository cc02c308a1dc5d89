"""PostgreSQL and Redis on loopback for tests of several processes."""

import os
import secrets
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from tests.support.servers.prepared_site import template_database
from tests.support.servers.server_process import free_port
from tests.support.waiting import wait_until_sync

POSTGRES = os.environ.get("QUIVER_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("QUIVER_TEST_REDIS", "redis://127.0.0.1:6379/15")


def missing() -> str:
    """A message about a server that does not answer; empty if both do."""
    try:
        import psycopg

        psycopg.connect(POSTGRES, connect_timeout=2).close()
    except Exception as error:
        return f"no PostgreSQL at QUIVER_TEST_POSTGRES ({type(error).__name__})"
    try:
        redis.Redis.from_url(REDIS, socket_connect_timeout=2).ping()
    except redis.RedisError as error:
        return f"no Redis at QUIVER_TEST_REDIS ({type(error).__name__})"
    return ""


class OwnDatabase:
    """A database of its own for one test, migrated."""

    def __init__(self) -> None:
        self.name = f"quiver_{secrets.token_hex(6)}"
        self.url = urlsplit(POSTGRES)._replace(path=f"/{self.name}").geturl()
        self._run(f"CREATE DATABASE {self.name} TEMPLATE {template_database(POSTGRES)}")

    def drop(self) -> None:
        """Deletes it and ends all connections to it."""
        self._run(f"DROP DATABASE {self.name} WITH (FORCE)")

    def shut(self) -> None:
        """Ends all connections and refuses new ones, as a server that is away does."""
        self._run(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS false")
        pids = f"SELECT pid FROM pg_stat_activity WHERE datname = '{self.name}'"
        self._run(f"SELECT pg_terminate_backend(pid) FROM ({pids}) AS connected")

    def open(self) -> None:
        """Lets everybody in again."""
        self._run(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS true")

    def _run(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(POSTGRES, autocommit=True) as line:
            line.execute(statement)


class OwnRedis:
    """A Redis process of its own, which a test may kill, freeze and start again empty."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Starts it, empty; waits until it answers."""
        command = shutil.which("redis-server")
        if command is None:
            pytest.skip("needs redis-server (apt install redis-server)")
        options = ["--port", str(self.port), "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen([command, *options], stdout=subprocess.DEVNULL)
        client = redis.Redis.from_url(self.url, socket_connect_timeout=1, socket_timeout=1)

        def does_answer() -> bool:
            with suppress(redis.RedisError):
                return bool(client.ping())
            return False

        wait_until_sync(does_answer, "Redis answers")

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        """Stops it: its lines stay open, and nothing answers."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        self._process.send_signal(signal.SIGCONT)

    def cut_subscribers(self) -> None:
        """Closes the connections of all who subscribe to channels."""
        redis.Redis.from_url(self.url).client_kill_filter(_type="pubsub")
