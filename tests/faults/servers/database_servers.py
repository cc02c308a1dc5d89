"""PostgreSQL cluster and Redis of the laboratory, which can be frozen and killed."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import redis as redis_client

from tests.support.servers.server_process import free_port

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
MAX_CONNECTIONS = 100  # connections, PostgreSQL's default


def is_there() -> bool:
    """Whether this machine has both."""
    return bool(POSTGRES or shutil.which("pg_ctl")) and shutil.which("redis-server") is not None


def binary(name: str) -> str:
    """The path of a program of PostgreSQL."""
    return shutil.which(name) or str(POSTGRES[-1] / name)


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent:
                found.append(int(stat.parent.name))
    return found


class Postgres:
    """A cluster with fsync on; it runs as the user `postgres` where this is root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.user = "postgres" if os.geteuid() == 0 else None
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def create(self) -> None:
        """Makes the cluster and starts it."""
        self.folder.mkdir()
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8")
        with (self.folder / "postgresql.conf").open("a") as conf:
            conf.write(
                f"port={self.port}\nlisten_addresses='127.0.0.1'\nfsync=on\n"
                f"unix_socket_directories=''\nmax_connections={MAX_CONNECTIONS}\nlog_min_messages=warning\n"
            )
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "start")

    def restart_at_once(self) -> None:
        """Ends all connections without a word, and starts again, with a recovery."""
        self._run("pg_ctl", "-w", "-m", "immediate", "-l", str(self.folder / "log"), "restart")

    def freeze(self, number: int = signal.SIGSTOP) -> None:
        """Stops all of its processes where they are; SIGCONT lets them go on."""
        postmaster = self._pid()
        for pid in [postmaster, *children(postmaster)]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def thaw(self) -> None:
        """Lets them go on."""
        self.freeze(signal.SIGCONT)

    def power_off(self) -> None:
        """Kills all of its processes at once; data that is not on the disk is lost."""
        postmaster = self._pid()
        for pid in [postmaster, *children(postmaster)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """Ends it."""
        if (self.folder / "postmaster.pid").exists():
            self.thaw()
            with suppress(subprocess.CalledProcessError):
                self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Returns the rows of a query."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(sql).fetchall()

    def copied(self) -> str:
        """Restores a dump of this database into another one; returns its URL."""
        dump = self.folder / "dump"
        url = self.url.removesuffix("/postgres") + "/restored"
        self._sh(binary("pg_dump"), "-Fc", "-d", self.url, "-f", str(dump))
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE restored")
        self._sh(binary("pg_restore"), "-d", url, str(dump))
        return url

    def _pid(self) -> int:
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def _run(self, program: str, *arguments: str) -> None:
        self._sh(binary(program), "-D", str(self.folder), *arguments)

    def _sh(self, *command: str) -> None:
        as_user = ["runuser", "-u", self.user, "--"] if self.user else []
        subprocess.run(
            [*as_user, *command],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            timeout=120,
        )


class Replica(Postgres):
    """A streaming replica of a cluster on the same machine, which can be promoted."""

    NAME = "replica"  # in the primary's list of synchronous standbys

    def __init__(self, folder: Path, primary: Postgres) -> None:
        super().__init__(folder)
        self._primary = primary

    def create(self) -> None:
        """Copies the primary, starts following it, and waits until all of its log has come."""
        source = f"host=127.0.0.1 port={self._primary.port} user=postgres"
        source += f" application_name={self.NAME}"
        self.folder.mkdir(mode=0o700)
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._run("pg_basebackup", "-d", source, "-R", "-X", "stream", "-c", "fast")
        with (self.folder / "postgresql.conf").open("a") as conf:
            conf.write(f"port={self.port}\n")
        self.start()

    def make_synchronous(self) -> None:
        """Has the primary acknowledge a commit only when this replica has applied it."""
        with psycopg.connect(self._primary.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{self.NAME}'")
            connection.execute("ALTER SYSTEM SET synchronous_commit = 'remote_apply'")
            connection.execute("SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'replica'"
        end = time.monotonic() + 20
        while self._primary.ask(state) != [("sync",)]:
            assert time.monotonic() < end, "the replica did not become synchronous"
            time.sleep(0.05)

    def stop_receiving(self) -> None:
        """Ends the stream of the primary's log; later commits do not arrive."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
            connection.execute("SELECT pg_reload_conf()")
        end = time.monotonic() + 20
        while self.ask("SELECT count(*) FROM pg_stat_wal_receiver") != [(0,)]:
            assert time.monotonic() < end, "the replica still receives"
            time.sleep(0.05)

    def promote(self) -> None:
        """Makes it the primary, and waits until it takes writes."""
        self.thaw()
        self._run("pg_ctl", "-w", "promote")


class Redis:
    """A server that keeps nothing on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it empty, and waits until it answers."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir"]
        self.process = subprocess.Popen(
            ["redis-server", *options, str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with suppress(redis_client.ConnectionError):
                self.client().ping()
                return
            time.sleep(0.02)
        raise AssertionError("redis-server did not answer")

    def client(self) -> Any:
        """Somebody who may give it orders."""
        return redis_client.Redis(port=self.port, socket_timeout=5)

    def signal(self, number: int) -> None:
        """Sends it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Ends it at once."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
