"""The animation in the share sheet, on a site with a worker."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_game_end import end_and_watch
from tests.browser.visitors.browser_visitors import Site
from tests.support.servers.server_process import Server, free_port

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with a worker."""
    server = Server(tmp_path_factory.mktemp("animated"), bots=1)
    asyncio.run(server.start())
    yield Site(server.port, free_port(), server.database)
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.log_path.read_text()


async def test_the_animation_of_an_ended_game_is_made_shown_and_saved(visit):
    ada, _, _ = await end_and_watch(visit)
    await ada.page.emulate_media(reduced_motion="no-preference")
    await ada.page.click("#share")
    part = ada.page.locator("#share-animation")
    await part.locator("button").click()
    image = part.locator("img")
    await expect(image).to_be_visible(timeout=90_000)  # a worker has to be there and to be free
    await ada.page.wait_for_function(
        "() => document.querySelector('#share-animation img').naturalWidth === 440"
    )
    async with ada.page.expect_download() as coming:
        await part.locator("a[download]").click()
    download = await coming.value
    assert download.suggested_filename.endswith(".webp")
    assert (await download.path()).read_bytes()[8:12] == b"WEBP"


async def test_who_wants_no_motion_gets_the_file_alone(visit):
    ada, _, _ = await end_and_watch(visit)
    await ada.page.click("#share")
    part = ada.page.locator("#share-animation")
    await part.locator("button").focus()
    await ada.page.keyboard.press("Enter")
    await expect(part.locator("a[download]")).to_be_focused(timeout=90_000)
    await expect(part.locator("img")).to_have_count(0)
