"""Site process that a test may kill, with visitors over HTTP."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx

from tests.support.servers import prepared_site, web_process
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3]
VAPID_KEY = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"  # 32 bytes of 1, in base64url
# Runs manage.py with the wall clock ahead by some seconds; `play.domain.clocks` reads `time_ns`.
START_TIMEOUT_S = 180.0
AHEAD = """
import runpy, sys, time
ahead, wall = int(sys.argv.pop(1)) * 10**9, time.time_ns
time.time_ns = lambda: wall() + ahead
sys.argv[0] = "manage.py"
runpy.run_path("manage.py", run_name="__main__")
"""

UVICORN = (
    *("uvicorn", "config.asgi:application", "--port", "{}", "--ws-max-size", "65536"),
    "--no-server-header",
)
COMMANDS = {"uvicorn": UVICORN}


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def free_ports_in_a_row(count: int) -> int:
    """The first of so many ports of loopback that nobody listens on.

    They lie below those that Linux gives to outgoing connections and to `free_port`.
    """
    while True:
        first = random.randrange(20_000, 32_000)
        with ExitStack() as probes, suppress(OSError):
            for port in range(first, first + count):
                probes.enter_context(closing(socket.socket())).bind(("127.0.0.1", port))
            return first


def embedded() -> dict[str, str]:
    """The environment of a site on an SQLite file, for any database of the tests."""
    return {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}


class Server:
    """`manage.py serve` on a folder; started again, it finds what it had committed."""

    program = AHEAD

    def __init__(
        self,
        data: Path,
        bots: int = 0,
        is_exhibiting: bool = False,
        environment: Mapping[str, str] | None = None,
        is_prepared: bool = True,
    ) -> None:
        self.data = data
        self.environment = environment or {}
        self.is_prepared = is_prepared  # else it makes its tables and collects its files itself
        self.bots = bots  # processes that think for the computer players
        self.is_exhibiting = is_exhibiting
        self.port = free_port()
        self.log_path = data / "server.txt"  # output of its processes
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """The file in which it keeps games."""
        return self.data / "quiver.sqlite3"

    async def start(self, ahead: int = 0) -> None:
        """Starts a process whose wall clock is `ahead` by some seconds; waits until it answers."""
        self.process = await asyncio.to_thread(self._spawn, ahead)
        async with httpx.AsyncClient(base_url=self.origin, trust_env=False) as visitor:

            async def does_answer() -> bool:
                assert self.started.poll() is None, self.log_path.read_text()
                try:
                    await visitor.get("/robots.txt", timeout=5)
                except httpx.TransportError:
                    return False
                return True

            try:
                await wait_until(does_answer, "the site answers", START_TIMEOUT_S)
            except AssertionError:
                self.kill()
                raise

    def _spawn(self, ahead: int) -> subprocess.Popen[bytes]:
        if self.is_prepared:
            prepared_site.copy_to(self.data, self.environment)
        command = ["-c", self.program, str(ahead), "serve", "--port", str(self.port)]
        with self.log_path.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, *command],
                cwd=ROOT,
                env={
                    **embedded(),
                    "QUIVER_DATA": str(self.data),
                    "QUIVER_BOTS": str(self.bots),
                    "QUIVER_NOTICES": "0",
                    "QUIVER_VAPID": VAPID_KEY,  # else a process of the notices makes one
                    "QUIVER_EXHIBITION": str(int(self.is_exhibiting)),
                    **self.environment,
                },
                stdout=output,
                stderr=output,
            )

    @property
    def started(self) -> subprocess.Popen[bytes]:
        """The process that `start` made."""
        assert self.process is not None, "not started"
        return self.process

    @property
    def web_pid(self) -> int:
        """The pid of the process that serves: under `serve`, the child of the one started."""
        pid = self.started.pid
        return web_process.web_pid(pid) or pid

    def kill_web(self) -> int:
        """Ends the web process at once; its parent starts another. Returns the pid it had."""
        return web_process.kill_web(self.started.pid)

    def kill(self) -> None:
        """Ends parent and web process at once, without a word to them."""
        if self.process is not None:
            web_process.kill_all(self.process.pid)
            self.process.wait()

    async def stop(self) -> int:
        """Asks the process to end; returns its exit status."""
        self.started.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self.started.wait, 60)


class UnbundledServer(Server):
    """A site on a machine without esbuild: scripts and style sheets are served one by one."""

    program = f"""
import sys
sys.path.insert(0, "site")
import assets.esbuild
assets.esbuild.NPM_FOLDERS = ()
{AHEAD}"""

    def __init__(self, data: Path) -> None:
        # Not prepared: the prepared site was collected with esbuild.
        super().__init__(data, environment={"PATH": str(data)}, is_prepared=False)


class HastyServer(Server):
    """A site that waits a second for its database where another waits five."""

    program = f"""
import sys
sys.path.insert(0, "site")
import config.backing_services
import telemetry.outage_log
config.backing_services.DATABASE_TIMEOUT_S = 1  # for a connection of the pool
telemetry.outage_log.QUIET_S = 1.0
{AHEAD}"""


class OtherServer(Server):
    """A site under one of COMMANDS, prepared by `migrate` and `collectstatic`."""

    command: tuple[str, ...]

    def _spawn(self, ahead: int) -> subprocess.Popen[bytes]:
        about = {"QUIVER_DATA": str(self.data), "QUIVER_PORT": str(self.port)}
        env = {**embedded(), **about, "PYTHONPATH": "site:.", **self.environment}
        if self.is_prepared:
            prepared_site.copy_to(self.data, env)
        commands = []
        if env.get("DATABASE_URL") or not self.database.exists():
            commands.append(["migrate", "-v", "0"])
        if not prepared_site.has_static_files(Path(env.get("QUIVER_STATIC", self.data / "static"))):
            commands.append(["collectstatic", "-v", "0", "--no-input"])
        for words in commands:
            subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=env, check=True)
        command = [word.format(self.port) for word in self.command]
        with self.log_path.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", *command], cwd=ROOT, env=env, stdout=output, stderr=output
            )


class Visitor:
    """Someone with the cookies of a browser."""

    def __init__(self, server: Server) -> None:
        self.client = httpx.AsyncClient(base_url=server.origin, trust_env=False, timeout=20)

    async def post(self, path: str, **form: str) -> str:
        """Sends a form as the site's own pages do; returns the address of the redirect."""
        if "csrftoken" not in self.client.cookies:
            await self.get("/new/")
        token = {"X-CSRFToken": self.client.cookies["csrftoken"]}
        answer = await self.client.post(path, data=form, headers=token)
        assert answer.status_code == 302, (answer.status_code, answer.text[:2_000])
        return answer.headers["Location"]

    async def get(self, path: str) -> httpx.Response:
        """Asks for a page."""
        answer = await self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer

    @property
    def session(self) -> str:
        """The cookie of the session, for the handshake of a socket."""
        return f"sessionid={self.client.cookies['sessionid']}"


def post(client: httpx.Client, path: str, **form: str) -> httpx.Response:
    """Sends a form as the site's own pages do; the client names its page in `Referer` itself where
    the host that it asks is not the one that it names."""
    client.get("/new/")
    token = client.cookies.get("__Host-csrftoken") or client.cookies["csrftoken"]
    referer = client.headers.get("Referer", str(client.base_url))
    return client.post(path, data=form, headers={"X-CSRFToken": token, "Referer": referer})


async def start_game(host: Visitor, guest: Visitor, key: str, clock: str) -> str:
    """Opens a lobby and fills it; returns the address of the game. The host plays white."""
    # Under a running clock, the page of a public game's host is asked, and there is none here.
    visibility = "public" if clock == "none" else "link"
    lobby = await host.post("/lobbies/", game=key, side="white", visibility=visibility, clock=clock)
    return await guest.post(f"{lobby}sit/")
