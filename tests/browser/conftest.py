"""Fixtures: a real server, Chromium, and people who use it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.chromium import system_fonts
from tests.browser.chromium.chromium_program import CHROMIUM, FLAGS
from tests.browser.chromium.cuttable_proxy import CuttableProxy
from tests.browser.visitors.browser_visitors import Site, Visitor
from tests.browser.visitors.keyboard_user import TIMEOUT_MS, WATCH_FOCUS, Typist
from tests.support.servers.server_process import Server, free_port


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives tests the event loop of the browser, and skips them where there is no browser.

    All of them run on one event loop, that of the browser which they share.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            if pytest_asyncio.is_async_test(item):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if not item.get_closest_marker("servers"):
                item.add_marker(pytest.mark.embedded("pages look alike on every database"))
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(reason="needs Chromium (apt install chromium-headless-shell)")
                )


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
    assert "Traceback" not in server.log_path.read_text()


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(site: Site) -> AsyncIterator[CuttableProxy]:
    """A line to the site that can be cut."""
    proxy = CuttableProxy(site.port)
    await proxy.open(site.line_port)
    yield proxy
    await proxy.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Browser]:
    """A headless Chromium for all tests of a worker; each visitor has a context of its own.

    It finds one family of fonts, DejaVu unless a test names another by `with_each_font`; with
    `with_large_text` its user has set a font size of 28 px.
    """
    family, flags = getattr(request, "param", (system_fonts.DEFAULT, ()))
    environment = system_fonts.environment(family, tmp_path_factory.mktemp(f"fonts-{family}"))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, *flags], env=environment
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
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
            line: CuttableProxy | None = None,
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
            page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
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
        visitor.page.set_default_timeout(TIMEOUT_MS)
        await visitor.page.add_init_script(WATCH_FOCUS)
        return Typist(visitor.name, visitor.page, visitor.home, visitor.errors)

    return arrive


def _note(message: object, errors: list[str]) -> None:
    text = message.text  # type: ignore[attr-defined]
    if message.type == "error" and "ERR_" not in text and "WebSocket" not in text:  # type: ignore[attr-defined]
        errors.append(text)
