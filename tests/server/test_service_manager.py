"""Service managers: sockets passed on by systemd, and notifications to it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server import listening_sockets, service_manager
from server.processes import web_parent
from tests.support.servers import prepared_site
from tests.support.servers.server_process import COMMANDS, ROOT, embedded, free_port

# Becomes a process to which descriptor 3 was passed on: its command is in the arguments.
ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "quiver"}
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
BY_SYSTEMD = {
    "serve": ["manage.py", "serve", "--port", "{}"],
    "daphne": ["-m", "daphne", "--fd", "3", "config.asgi:application"],
    "uvicorn": ["-m", *COMMANDS["uvicorn"], "--fd", "3"],
}


class Manager:
    """Substitute for systemd: a listening socket, and a socket for notifications."""

    def __init__(self, kind: str, data: Path) -> None:
        self.listening = listening_sockets.open_socket("127.0.0.1", 0)
        self.port = self.listening.getsockname()[1]
        self._messages = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._messages.bind(str(data / "notify"))
        self._messages.settimeout(60)
        self._kind, self._data = kind, data
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the service."""
        fd = self.listening.fileno()
        prepared_site.copy_to(self._data, {})
        command = [word.format(self.port) for word in BY_SYSTEMD[self._kind]]
        with (self._data / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", ACTIVATE, str(fd), *command],
                cwd=ROOT,
                env={
                    **embedded(),
                    "PYTHONPATH": os.pathsep.join([str(ROOT / "site"), str(ROOT)]),
                    "QUIVER_DATA": str(self._data),
                    "QUIVER_PORT": str(self.port),
                    "QUIVER_BOTS": "0",
                    "QUIVER_NOTICES": "0",
                    "NOTIFY_SOCKET": str(self._data / "notify"),
                    "WATCHDOG_USEC": "400000",
                },
                pass_fds=[fd],
                stdout=log,
                stderr=log,
            )

    def heard(self) -> str:
        """The next message."""
        return self._messages.recv(4096).decode()

    def hear(self, message: str) -> int:
        """Waits for a message; returns how many others came before it."""
        for count in range(1000):
            if self.heard() == message:
                return count
        raise AssertionError(f"no {message}")

    def log(self) -> str:
        """The output of the service so far."""
        return (self._data / "log.txt").read_text()

    def close(self) -> None:
        """Ends everything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.listening.close()
        self._messages.close()


@pytest.fixture(params=BY_SYSTEMD)
def manager(request, tmp_path) -> Iterator[Manager]:
    pytest.importorskip(request.param if request.param != "serve" else "daphne")
    manager = Manager(request.param, tmp_path)
    yield manager
    manager.close()


@pytest.mark.processes
@pytest.mark.embedded("a service on one SQLite file")
@pytest.mark.timeout(300)
def test_a_service_adopts_the_socket_and_reports_and_its_successor_finds_who_waited(manager):
    manager.start()
    assert manager.heard() == service_manager.READY
    assert [manager.heard() for _ in range(3)] == [service_manager.ALIVE] * 3
    address = f"http://127.0.0.1:{manager.port}/robots.txt"
    assert httpx.get(address, timeout=30, trust_env=False).status_code == 200
    manager.process.kill()
    manager.process.wait()
    with socket.create_connection(("127.0.0.1", manager.port), timeout=60) as waiting:
        waiting.sendall(b"GET /robots.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
        manager.start()
        assert waiting.recv(16).startswith(b"HTTP/1.")
    manager.hear(service_manager.READY)
    manager.process.send_signal(signal.SIGTERM)
    manager.hear(service_manager.STOPPING)
    assert manager.process.wait(30) in (0, -signal.SIGTERM)
    assert "Traceback" not in manager.log()


def test_nothing_is_sent_without_a_service_manager(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    service_manager.notify(service_manager.READY)


def test_a_service_manager_that_has_gone_is_logged(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    service_manager.notify(service_manager.READY)
    assert "systemd could not be told READY=1" in caplog.text


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [
        ("3000000", "", 1.5),
        ("3000000", "1", None),
        ("", "", None),
        ("0", "", None),
        ("x", "", None),
    ],
)
def test_the_watchdog_is_told_at_half_of_its_time(monkeypatch, usec, pid, seconds):
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.setenv("WATCHDOG_PID", pid)
    assert service_manager.watchdog_interval_s() == seconds


async def test_a_site_without_its_database_still_answers(monkeypatch, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as messages:
        messages.bind(str(tmp_path / "notify"))
        messages.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setattr(service_manager, "READY_TIMEOUT_S", 0.01)
        reporter = service_manager.Reporter()
        reporter.ensure_started(asyncio.Event())
        assert await asyncio.to_thread(messages.recv, 100) == b"READY=1"


def test_passed_sockets_are_taken_once_and_are_those_of_this_process_only():
    ours = {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "web"}
    others = {**ours, "LISTEN_PID": "1"}
    assert listening_sockets.take_passed(others) == {}
    with socket.socket() as passed:
        saved = os.dup(3) if is_in_use(3) else None
        os.dup2(passed.fileno(), 3)
        try:
            assert listening_sockets.take_passed(ours) == {3: "web"}
            assert not os.get_inheritable(3)
        finally:
            os.close(3)
            if saved is not None:
                os.dup2(saved, 3)
                os.close(saved)
    assert ours == {} and listening_sockets.take_passed(ours) == {}


def is_in_use(fd: int) -> bool:
    """Whether a descriptor is in use."""
    return Path(f"/proc/self/fd/{fd}").exists()


def test_what_is_no_listening_tcp_socket_is_not_adopted():
    with socket.socket(socket.AF_UNIX) as other:
        with pytest.raises(OSError, match="no TCP socket"):
            listening_sockets.adopt(other.fileno())
        other.getsockname()  # still open


def test_a_socket_that_was_shut_listens_again():
    with listening_sockets.open_socket("127.0.0.1", free_port()) as opened:
        address = opened.getsockname()
        assert listening_sockets.refuse(opened)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        opened.listen(listening_sockets.BACKLOG)
        socket.create_connection(address).close()


@pytest.mark.parametrize(
    ("arguments", "environment", "is_needed"),
    [
        (["serve"], {}, True),
        (["serve", "--port", "8001", "--lan"], {}, True),
        (["serve", "--help"], {}, False),
        (["serve", "--web-process=3,4"], {}, False),
        (["serve"], {"NOTIFY_SOCKET": "/run/systemd/notify"}, False),
        (["serve"], {"LISTEN_FDS": "1", "LISTEN_PID": "own"}, False),
        (["serve"], {"LISTEN_FDS": "1", "LISTEN_PID": "1"}, True),
        (["migrate"], {}, False),
        ([], {}, False),
    ],
)
def test_the_parent_runs_where_no_service_manager_does_its_work(arguments, environment, is_needed):
    if environment.get("LISTEN_PID") == "own":
        environment = {**environment, "LISTEN_PID": str(os.getpid())}
    assert web_parent.is_needed(arguments, environment) == is_needed


@pytest.mark.parametrize("port", ["x", "0x10", "65536", "-1"])
def test_a_port_that_is_none_is_left_to_the_web_process_to_refuse(port):
    assert web_parent.open_listening([f"--port={port}"]) is None


@pytest.mark.processes
def test_the_parent_imports_nothing_of_django():
    code = "import sys, server.processes.web_parent; print(*{m.split('.')[0] for m in sys.modules})"
    path = {"PYTHONPATH": str(ROOT / "site")}
    done = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True)
    assert not {"django", "asyncio", "ssl", "twisted"} & set(done.stdout.split())
    assert "server" in done.stdout.split()
