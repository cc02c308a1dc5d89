"""A real server, a real Chromium, and people who sit in front of it."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from keys import WAIT as PATIENCE
from keys import WATCH_FOCUS, Typist
from line import Line
from playwright.async_api import Browser, async_playwright
from real_server import Server, free_port
from visitors import Visitor

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Says which tests need a browser, and skips them where there is none."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not item.get_closest_marker("servers"):
                item.add_marker(pytest.mark.embedded("pages look alike on every database"))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="needs Chromium (apt install chromium)"))


@dataclass(frozen=True)
class Site:
    """Where the site is, and a line to it that can be cut."""

    port: int
    line_port: int
    database: Path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as `manage.py serve` starts it; it also answers pages that come over the line."""
    server = Server(tmp_path_factory.mktemp("browser-data"))
    site = Site(server.port, free_port(), server.database)
    origins = ",".join(f"http://localhost:{port}" for port in (site.port, site.line_port))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIVER_ORIGINS", origins)
        asyncio.run(server.start())
    yield site
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.words.read_text()


@pytest.fixture
async def line(site: Site) -> AsyncIterator[Line]:
    """A line to the site that can be cut."""
    line = Line(site.port)
    await line.open(site.line_port)
    yield line
    await line.close()


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def visit(site: Site, chromium: Browser) -> AsyncIterator[Callable[..., Visitor]]:
    """Gives somebody a browser: `await visit("ada", width=360)`; errors on his pages fail the test.

    A lost line makes the browser itself complain of the network; only that is no error.
    """
    people: list[Visitor] = []
    async with AsyncExitStack() as stack:

        async def arrive(
            name: str,
            width: int = 1280,
            height: int = 800,
            line: Line | None = None,
            motion: str = "reduce",
            touch: bool = False,
            ratio: float = 1,
        ) -> Visitor:
            size = {"width": width, "height": height}
            context = await chromium.new_context(
                viewport=size, reduced_motion=motion, has_touch=touch, device_scale_factor=ratio
            )
            stack.push_async_callback(context.close)
            page = await context.new_page()
            errors: list[str] = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: _note(message, errors))
            port = line.port if line else site.port
            people.append(Visitor(name, page, f"http://localhost:{port}/", errors))
            return people[-1]

        yield arrive
        for person in people:
            assert not person.errors, f"{person.name}'s page: {person.errors}"


@pytest.fixture
def typist(visit: Callable[..., Visitor]) -> Callable[..., Awaitable[Typist]]:
    """Gives somebody a browser that notes whenever the focus falls to nothing."""

    async def arrive(name: str, **device: object) -> Typist:
        visitor = await visit(name, **device)
        visitor.page.set_default_timeout(PATIENCE)
        await visitor.page.add_init_script(WATCH_FOCUS)
        return Typist(visitor.name, visitor.page, visitor.home, visitor.errors)

    return arrive


def _note(message: object, errors: list[str]) -> None:
    text = message.text  # type: ignore[attr-defined]
    if message.type == "error" and "ERR_" not in text and "WebSocket" not in text:  # type: ignore[attr-defined]
        errors.append(text)
