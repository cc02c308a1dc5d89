"""First visit of a page: size, first paint and idle state."""

import pytest

from assets.esbuild import find_esbuild
from tests.browser.prepared import first_load_games
from tests.browser.prepared.first_load_games import check_first_load

begin = first_load_games.begin
site = first_load_games.site
pytestmark = pytest.mark.skipif(
    find_esbuild() is None, reason="needs esbuild (apt install esbuild)"
)
COUNT_FRAMES = """
const begun = requestAnimationFrame;
window.frames_asked = 0;
window.requestAnimationFrame = (call) => { window.frames_asked += 1; return begun(call); };
"""
COLOURS = """canvas => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Set();
    for (let at = 0; at < pixels.length; at += 4000) colours.add(pixels.slice(at, at + 4).join());
    return colours.size;
}"""


@pytest.mark.parametrize("key", ["amazons-10x10", "blotto", "pincer"])
async def test_the_first_load_of_a_game_is_small_and_all_from_here(begin, key) -> None:
    await check_first_load(begin, key)


async def test_files_with_a_hash_in_their_name_are_cached_for_ever(begin) -> None:
    ada, address = await begin("amazons-10x10")
    kept = []
    ada.page.on(
        "response", lambda answer: kept.append(answer) if "/static/" in answer.url else None
    )
    await ada.page.goto(address)
    await ada.page.wait_for_load_state("networkidle")
    assert {answer.request.resource_type for answer in kept} >= {"stylesheet", "script"}
    for answer in kept:
        assert "immutable" in answer.headers["cache-control"], answer.url
        assert answer.headers["content-encoding"] == "br", answer.url
        assert "x-request-id" not in answer.headers, answer.url


@pytest.mark.parametrize("key", ["amazons-10x10", "pincer"])
async def test_the_board_is_painted_before_the_line_opens(begin, key) -> None:
    ada, address = await begin(key)
    await ada.page.route_web_socket("**/ws/**", lambda line: None)  # it never opens
    await ada.page.goto(address)
    assert await ada.page.locator("#board canvas").evaluate(COLOURS) > 3
    assert await ada.page.locator(".grid button[data-target]").count() == 4
    assert await ada.page.locator("#game").get_attribute("data-turn") == "yours"


async def test_the_fields_are_there_before_the_line_opens(begin) -> None:
    ada, address = await begin("blotto")
    await ada.page.route_web_socket("**/ws/**", lambda line: None)
    await ada.page.goto(address)
    assert await ada.page.locator("#troops canvas").first.evaluate(COLOURS) > 1
    assert await ada.page.locator("#troops button:enabled").count() > 3


@pytest.mark.parametrize("key", ["amazons-10x10", "pincer", "blotto"])
async def test_nothing_is_drawn_while_nothing_moves(begin, key) -> None:
    ada, address = await begin(key, motion="no-preference")
    await ada.page.add_init_script(COUNT_FRAMES)
    await ada.page.goto(address)
    await ada.page.wait_for_timeout(3000)
    before = await ada.page.evaluate("frames_asked")
    assert before > 0 or key == "blotto"  # whose fields are painted at once
    await ada.page.wait_for_timeout(1000)  # the clock runs on
    assert await ada.page.evaluate("frames_asked") == before
