"""`python -m tests.bench.first_load [-v]`: measure the size of each page's first visit.

All bytes over the wire are counted, with headers: Chromium's own count, with an empty cache.
`first` counts the requests of a page until it is loaded, `idle` its later requests without any
input. The site runs on a folder of its own.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from tests.support.servers.server_process import Server, Visitor, start_game

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
QUIET = 1500  # ms without a request, after which a page has what it wants
PATHS = ("/", "/play/online/", "/play/friend/", "/computer/", "/watch/", "/learn/", "/players/")
GAMES = {
    "amazons-10x10": "fischer:300:3",
    "amazons": "fischer:600:5",
    "blotto": "limit:60",
    "pincer": "fischer:180:2",
}


@dataclass(slots=True)
class Load:
    """The load of a page: bytes of each answer by address."""

    answers: dict[str, int] = field(default_factory=dict)
    asked: dict[str, float] = field(default_factory=dict)  # by scripts, when by Chromium's clock
    loaded: float = 0  # when the page was

    @property
    def first(self) -> int:
        """Bytes over the wire, without requests of scripts after the page was loaded."""
        return sum(self.answers.values()) - self.idle

    @property
    def idle(self) -> int:
        """Bytes of the requests of scripts after the page was loaded."""
        late = {url for url, moment in self.asked.items() if moment > self.loaded}
        return sum(size for url, size in self.answers.items() if url in late)


async def first_load(page: Page, address: str) -> Load:
    """Opens an address with an empty cache; returns its load."""
    line = await page.context.new_cdp_session(page)
    await line.send("Network.enable")
    await line.send("Page.enable")
    await line.send("Network.clearBrowserCache")
    load, names = Load(), {}

    def asked(event: dict) -> None:
        names[event["requestId"]] = event["request"]["url"]
        if event["initiator"]["type"] == "script":
            load.asked[event["request"]["url"]] = event["timestamp"]

    def ended(event: dict) -> None:
        load.answers[names[event["requestId"]]] = round(event["encodedDataLength"])

    def loaded(event: dict) -> None:
        load.loaded = event["timestamp"]

    line.on("Page.loadEventFired", loaded)
    line.on("Network.requestWillBeSent", asked)
    line.on("Network.loadingFinished", ended)
    await page.goto(address, wait_until="load")
    seen = -1
    while seen != len(load.answers):
        seen = len(load.answers)
        await page.wait_for_timeout(QUIET)
    await line.detach()
    return load


@asynccontextmanager
async def guest(browser: Browser, server: Server, session: str | None) -> AsyncIterator[Page]:
    """A page of somebody with that session."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    if session:
        cookie = {"name": "sessionid", "value": session, "url": server.origin}
        await context.add_cookies([cookie])
    yield await context.new_page()
    await context.close()


async def main() -> None:
    """Prints the sizes of the pages."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        await server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                await _pages(browser, server)
                await browser.close()
        finally:
            await server.stop()


async def _pages(browser: Browser, server: Server) -> None:
    for path in PATHS:
        await _weigh(browser, server, path.strip("/") or "home", path, None)
    ada, bob = Visitor(server), Visitor(server)
    lobby = await ada.post(
        "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
    )
    await _weigh(browser, server, "lobby", lobby, ada.client.cookies["sessionid"])
    for key, clock in GAMES.items():
        address = await start_game(ada, bob, key, clock)
        await _weigh(browser, server, key, address, ada.client.cookies["sessionid"])


async def _weigh(
    browser: Browser, server: Server, name: str, path: str, session: str | None
) -> None:
    async with guest(browser, server, session) as page:
        load = await first_load(page, server.origin + path)
    figures = f"{load.first:8,} bytes first {load.idle:8,} idle {len(load.answers):4} answers"
    print(f"{name:16}{figures}", flush=True)
    if "-v" in sys.argv:
        for address, size in load.answers.items():
            print(f"    {size:8,}  {address.removeprefix(server.origin)[:90]}")


if __name__ == "__main__":
    asyncio.run(main())
