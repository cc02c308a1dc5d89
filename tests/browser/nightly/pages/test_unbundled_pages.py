"""Without esbuild, scripts and style sheets come one by one, under the same policy."""

import asyncio
import re
from collections.abc import Iterator

import pytest

from assets.esbuild import INSTALL_HINT
from tests.browser.nightly.pages.test_policy import see
from tests.browser.visitors.browser_visitors import game_of
from tests.browser.visitors.site_pages import FIRST, SEND_SCRIPT, watched
from tests.support.servers.server_process import UnbundledServer

pytestmark = pytest.mark.timeout(300)
KEYS = ["amazons-8x8", "blotto"]
OPEN_PAGES = ["", "learn/", *(f"learn/{key}/" for key in KEYS), "sign-up/", "settings/"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnbundledServer]:
    """The site as `manage.py serve` starts it on a machine without esbuild."""
    server = UnbundledServer(tmp_path_factory.mktemp("unbundled-data"))
    asyncio.run(server.start())
    yield server
    assert asyncio.run(server.stop()) == 0
    words = server.log_path.read_text()
    assert "Traceback" not in words
    assert f"esbuild is not installed, so pages load slower: {INSTALL_HINT}." in words


async def test_pages_without_bundles_live_under_the_policy(visit) -> None:
    ada = await watched(visit, "ada")
    await see(ada, OPEN_PAGES)


@pytest.mark.parametrize("key", KEYS)
async def test_a_game_without_bundles_is_played(visit, key) -> None:
    ada, bob = [await watched(visit, name) for name in ("ada", "bob")]
    game = (await game_of(ada, bob, key)).lstrip("/")
    files = []
    ada.page.on("response", lambda answer: files.append(answer))
    for person in (ada, bob):
        await see(person, [game])
    files = [answer for answer in files if "/static/" in answer.url]
    assert len(files) > 50
    for answer in files:
        assert answer.status == 200, answer.url
        assert "immutable" in answer.headers["cache-control"], answer.url
    await ada.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": FIRST[key]})
    await ada.page.wait_for_selector("#game[data-turn=waits]")


async def test_all_modules_of_a_page_are_asked_for_at_once(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(ada.home)
    named = re.findall(r'(?:href|src)="([^"]+\.js)"', await ada.page.content())
    timings = await ada.page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    )
    scripts = {name for name in timings if name.endswith(".js")}
    assert scripts == set(named)
    assert len(scripts) > 20
