"""`python -m tests.bench.action_files`: which files of the site one action enters.

From the frame that comes in to those that go out; a coroutine that is resumed counts as entered.

Serves the site on a loopback port of this process, opens a game's page for a player and one for a
spectator, and profiles all threads from the player's frame until both pages have the new state.
Functions are counted by the file that defines them; files of games/ are listed apart.
"""

import asyncio
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
ACTIONS = ("move 1 5 2 5", "move 1 7 1 6")  # a turn of Pincer
OPEN_TIMEOUT_S = 10.0


class EnteredFiles:
    """Collects the files of the functions that are called while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.names: set[str] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Note a call; the signature is that of `sys.setprofile`."""
        if self.is_on and event == "call":
            self.names.add(frame.f_code.co_filename)

    def below(self, folder: Path) -> list[str]:
        """Return the files in a folder, as paths within it."""
        return sorted(
            str(Path(name).relative_to(folder))
            for name in self.names
            if name.startswith(f"{folder}/")
        )


def prepare() -> tuple[str, str]:
    """Make the tables, two users and a game; return its slug and white's session key."""
    from django.core.management import call_command
    from django.db import transaction
    from django.test import Client

    from accounts.models import User
    from play.domain.clocks import Clock
    from play.runtime.game_commands import open_game

    call_command("migrate", verbosity=0)
    white, black = (User.objects.create(username=name) for name in ("ada", "bob"))
    with transaction.atomic():
        seats: Any = {"white": white, "black": black}
        game = open_game("pincer", Clock("fischer", 300_000), seats, public=True)
    browser = Client()
    browser.force_login(white)
    return game.slug, browser.cookies["sessionid"].value


async def until(page: Any, is_wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Read messages until one is wanted."""
    async with asyncio.timeout(OPEN_TIMEOUT_S):
        while not is_wanted(json.loads(await page.recv())):
            pass


async def measure(port: int, slug: str, session: str, entered: EnteredFiles) -> None:
    """Send one action over a real connection while `entered` is on."""
    import websockets

    topic, address = f"game:{slug}", f"ws://127.0.0.1:{port}/ws/g/{slug}/"
    origin: Any = os.environ["QUIVER_ORIGINS"]
    cookie = {"Cookie": f"sessionid={session}"}
    async with (
        websockets.connect(address, origin=origin, additional_headers=cookie) as player,
        websockets.connect(address, origin=origin) as spectator,
    ):
        for page in (player, spectator):
            await page.send(json.dumps({"t": "subscribe", "topic": topic, "rev": -1}))
            await until(page, lambda message: message["t"] == "game")
        await asyncio.sleep(1)  # presence has been stored and shown
        act = {"t": "act", "topic": topic, "id": "a", "step": 0, "actions": ACTIONS}
        entered.is_on = True
        await player.send(json.dumps(act))
        for page in (player, spectator):
            await until(page, lambda message: message["t"] == "game" and message["rev"] == 1)
        entered.is_on = False


def serve(slug: str, session: str, entered: EnteredFiles) -> None:
    """Serve the site with Daphne until the action is measured; raise what `measure` raises."""
    import daphne.server  # noqa: F401 - installs its reactor
    from twisted.internet import reactor

    from config.asgi import application, begin
    from play.runtime.runtime import web_runtime
    from server.daphne import BoundedServer

    server = BoundedServer(
        application,
        shut_down=lambda: web_runtime().shut_down(),
        endpoints=["tcp:port=0:interface=127.0.0.1"],
        signal_handlers=False,
    )
    tasks: list[asyncio.Task[None]] = []

    def start() -> None:
        begin()
        ((_, port),) = server.listening_addresses
        tasks.append(asyncio.ensure_future(measure(port, slug, session, entered)))
        tasks[0].add_done_callback(lambda task: reactor.stop())  # type: ignore[attr-defined]

    reactor.callLater(0, start)  # type: ignore[attr-defined]
    server.run()
    tasks[0].result()


def main() -> None:
    """Print the files that an action enters."""
    entered = EnteredFiles()
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"QUIVER_DATA": data, "QUIVER_ORIGINS": "http://localhost:8000"}
        sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        slug, session = prepare()
        threading.setprofile(entered)  # for the database threads, which start later
        sys.setprofile(entered)
        serve(slug, session, entered)
        sys.setprofile(None)
        threading.setprofile(None)
    site, games = entered.below(ROOT / "site"), entered.below(ROOT / "games")
    print(f"{len(site)} files of site/, {len(games)} of games/")
    print("\n".join(site))


if __name__ == "__main__":
    main()
