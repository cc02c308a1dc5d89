"""The installed app in a whole Chromium: installing, pushes, the offline page, trusted types."""

import json
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.chromium.installed_app import (
    STANDALONE,
    expect_only_offline_page_stored,
    worker_ready,
)
from tests.browser.chromium.whole_chromium import (
    SUBSCRIBE,
    deliver,
    devtools,
    grant,
    needs_whole_chromium,
    shown,
    whole_browser,
)
from tests.browser.visitors.browser_visitors import Visitor, begin_game
from tests.support.servers.server_process import Server

pytestmark = needs_whole_chromium
PUSH = {
    "v": 1, "tag": "turn-abc", "title": "Your turn", "body": "bob moved in Pincer",
    "url": "/learn/", "waiting": 2, "icon": None,
}  # fmt: skip
PAGES = ["", "learn/", "computer/", "settings/", "log-in/", "about/"]
REFUSED = ["/other.js", "/sw.js?x", "/static/js/sw/service-worker.js", "https://evil.example/sw.js"]
TRY = """async (addresses) => {
    const tell = async (task) => {
        try { await task(); return "allowed"; } catch (error) { return error.name; }
    };
    const all = [];
    for (const address of addresses)
        all.push(await tell(() => navigator.serviceWorker.register(address)),
                 await tell(() => new Worker(address)));
    for (const name of ["quiver", "default", "other"])
        all.push(await tell(() => trustedTypes.createPolicy(name, {})));
    return all;
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def ada(site, tmp_path) -> AsyncIterator[Visitor]:
    """Somebody whose browser may show notifications of the site."""
    async with whole_browser(tmp_path / "profile") as context:
        home = f"http://localhost:{site.port}/"
        await grant(context, home.rstrip("/"))
        await context.add_init_script(STANDALONE)
        await context.add_init_script(SUBSCRIBE)
        page = context.pages[0]
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield Visitor("ada", page, home, errors)
        assert not errors


async def test_the_browser_has_nothing_against_installing(ada):
    await ada.page.goto(ada.home)
    session = await devtools(ada.page)
    assert (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []
    found = await session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert json.loads(found["data"])["display"] == "standalone"


@pytest.mark.parametrize("path", PAGES)
async def test_no_page_starts_another_script_than_the_workers(ada, path):
    await ada.page.goto(f"{ada.home}{path}")
    await ada.page.wait_for_load_state("networkidle")
    assert set(await ada.page.evaluate(TRY, REFUSED)) == {"TypeError"}


async def test_the_script_of_the_worker_is_admitted_by_the_policy_alone(ada):
    await ada.page.goto(ada.home)
    await worker_ready(ada.page)
    url = await ada.page.evaluate(
        "navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)"
    )
    assert url == f"{ada.home}sw.js"


async def test_a_push_shows_once_a_tag_and_a_click_opens_its_page(ada):
    page = ada.page
    await page.goto(ada.home)
    await worker_ready(page)
    await deliver(page, json.dumps(PUSH))
    await deliver(page, json.dumps(PUSH))
    warning = json.dumps({**PUSH, "title": "Half of your time is gone"})
    other = json.dumps({**PUSH, "tag": "turn-other", "url": "/watch/"})
    await expect_shown(page, ["Half of your time is gone", "Your turn"], warning, other)
    tags = {each["tag"]: each["url"] for each in await shown(page)}
    assert tags == {"turn-abc": "/learn/", "turn-other": "/watch/"}


async def test_a_push_for_the_page_that_is_looked_at_leaves_nothing(ada):
    page = ada.page
    await page.goto(f"{ada.home}learn/")
    await worker_ready(page)
    await page.bring_to_front()
    last = json.dumps({**PUSH, "tag": "last", "url": "/watch/"})
    await expect_shown(page, ["Your turn"], json.dumps(PUSH), last)
    assert [each["tag"] for each in await shown(page)] == ["last"]


async def test_a_push_that_nobody_understands_shows_a_line_without_particulars(ada):
    await ada.page.goto(f"{ada.home}terms/")
    await worker_ready(ada.page)
    await expect_shown(ada.page, ["Quiver"], "no JSON")


async def expect_shown(page: Page, titles: list[str], *pushes: str) -> None:
    """Delivers pushes, and waits until these titles are shown, in any order.

    A push that got lost is delivered again, as push services do: a browser that had just started on
    a loaded machine once showed none for twenty seconds.
    """
    found: list[str] = []
    for _ in range(4):
        for push in pushes:
            await deliver(page, push)
        for _ in range(100):  # a loaded machine starts the worker slowly
            found = sorted(each["title"] for each in await shown(page))
            if found == titles:
                return
            await page.wait_for_timeout(50)
    assert found == titles


async def test_without_the_server_a_page_says_so_and_comes_back_with_it(tmp_path):
    server = Server(tmp_path / "data")
    await server.start()
    async with whole_browser(tmp_path / "profile") as context:
        page = context.pages[0]
        await context.add_init_script(STANDALONE)
        home = f"http://localhost:{server.port}/"
        await page.goto(home)
        await worker_ready(page)
        await page.goto(f"{home}learn/")
        await server.stop()
        await page.goto(f"{home}watch/")
        await expect(page.locator("h1")).to_have_text("You’re offline")
        assert page.url == f"{home}watch/"
        colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == "rgb(244, 238, 226)"  # the style sheet is there
        await expect_only_offline_page_stored(page)
        await server.start()
        await page.click("text=Try again")
        await expect(page.locator("h1")).to_have_text("Watch")
    await server.stop()


async def test_a_newer_worker_takes_over_without_reloading_a_page(ada):
    page = ada.page
    loads: list[str] = []
    page.on("load", lambda page: loads.append(page.url))
    await page.goto(f"{ada.home}learn/")
    await worker_ready(page)
    await page.evaluate(
        "navigator.serviceWorker.ready.then(({ active }) => { window.former = active; })"
    )
    # Another language has another offline page, and so another version of the worker.
    cookie = {"name": "django_language", "value": "tr", "url": ada.home}
    await page.context.add_cookies([cookie])
    await page.evaluate("navigator.serviceWorker.ready.then(each => each.update())")
    await worker_ready(page)
    await page.wait_for_timeout(1_000)
    assert len(loads) == 1
    names = await page.evaluate("caches.keys()")
    assert len(names) == 1  # the former worker's is gone


async def test_one_is_asked_once_after_ones_own_turn_and_then_told(ada, visit):
    bob = await visit("bob")
    slug = await begin_game(ada, bob, "pincer", "days:1")
    ask = ada.page.locator("#push-ask")
    await expect(ada.page.locator("#game")).to_have_attribute("data-turn", "yours")
    await ada.page.wait_for_timeout(500)
    await expect(ask).to_be_hidden()
    await ada.page.wait_for_load_state("networkidle")
    await ada.play_turn(random.Random(1))
    await expect(ask).to_be_visible()
    await ada.page.click("#push-yes")
    await expect(ask).to_contain_text("You’ll be told on this device.")
    await ada.page.goto(f"{ada.home}g/{slug}/")
    await expect(ask).to_have_count(0)
    await ada.page.goto(f"{ada.home}settings/notifications/")
    await expect(ada.page.locator("#device-state")).to_have_text(
        "Notifications are on for this device."
    )
    await expect(ada.page.locator(".device")).to_have_count(1)
    await expect(ada.page.locator(".device-own")).to_be_visible()
    await ada.page.click("#device-off")
    await expect(ada.page.locator(".device")).to_have_count(0)
    await expect(ada.page.locator("#device-state")).to_have_text(
        "Notifications are off for this device."
    )
    await ada.page.click("#device-on")
    await expect(ada.page.locator(".device")).to_have_count(1)
    await ada.page.click(".device [data-do=test]")
    await expect(ada.page.locator("#device-say")).to_contain_text("Test sent")
    await ada.page.reload()
    await expect(ada.page.locator(".device-own")).to_be_visible()
