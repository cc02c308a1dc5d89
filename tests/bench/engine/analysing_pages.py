"""Measure the cost of analysing pages to the server: CPU seconds and requests.

    python -m tests.bench.engine.analysing_pages [--pages 50] [--seconds 30] [--key amazons-10x10]

Opens analysis boards in Chromium on a site that it starts, and has the engine of each search, anew
every few seconds: a search ends after some nodes. Once all of them search, prints the CPU seconds
of the site's web process in that time, those of the same site before without any page, and how many
requests the pages made. The pages share the machine's cores, so that each searches slowly; the
server sees the same.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.async_api import Browser, Page, async_playwright

from tests.bench.engine.blunders import KEYS
from tests.bench.engine.equality import renderer_seconds
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.support.cpu_time import spent_s
from tests.support.servers.server_process import Server

LIMIT_MS: Final = 300_000
SETTLE_S: Final = 5.0
SEARCH_AGAIN: Final = """
setInterval(() => {
  const button = document.getElementById("engine-toggle");
  button.click();
  button.click();
}, 4000)
"""
MAX_SHARE: Final = 0.001  # of a core, above the same site without pages


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of the web process without and with the pages, requests, and the pages' own."""

    idle_s: float
    analysing_s: float
    requests: int
    renderers_s: float


async def measure(key: str, count: int, seconds: float) -> Cost:
    """Return the cost of `count` pages in `seconds`."""
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        await server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                cost = await _measure(server, browser, key, count, seconds)
                await browser.close()
                return cost
        finally:
            await server.stop()


async def _measure(server: Server, browser: Browser, key: str, count: int, seconds: float) -> Cost:
    await asyncio.sleep(SETTLE_S)
    idle_s = await _spent(server, seconds)
    pages = [
        await _open(browser, f"http://localhost:{server.port}/analysis/{key}/")
        for _ in range(count)
    ]
    await asyncio.sleep(SETTLE_S)
    requests = list[object]()
    for page in pages:
        page.on("request", lambda request: requests.append(request))
        page.on("websocket", lambda socket: requests.append(socket))
        await page.evaluate(SEARCH_AGAIN)
    before = renderer_seconds()
    analysing_s = await _spent(server, seconds)
    return Cost(idle_s, analysing_s, len(requests), renderer_seconds() - before)


async def _open(browser: Browser, address: str) -> Page:
    page = await browser.new_page()
    page.set_default_timeout(LIMIT_MS)
    await page.goto(address)
    await page.click("#engine-toggle")
    await page.wait_for_selector(".engine-line")
    return page


async def _spent(server: Server, seconds: float) -> float:
    """Return the CPU seconds of the web process in the next seconds."""
    before = spent_s(server.web_pid)
    await asyncio.sleep(seconds)
    return spent_s(server.web_pid) - before


def main() -> int:
    """Measure, and return 1 if the pages cost the server anything, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--key", choices=KEYS, default=KEYS[0])
    arguments = parser.parse_args()
    cost = asyncio.run(measure(arguments.key, arguments.pages, arguments.seconds))
    print(
        f"{arguments.pages} pages for {arguments.seconds:g} s: CPU of the web process"
        f" {cost.analysing_s:.2f} s, without pages {cost.idle_s:.2f} s; {cost.requests} requests;"
        f" CPU of the pages {cost.renderers_s:.1f} s"
    )
    share = (cost.analysing_s - cost.idle_s) / arguments.seconds
    return int(share > MAX_SHARE or cost.requests > 0)


if __name__ == "__main__":
    sys.exit(main())
