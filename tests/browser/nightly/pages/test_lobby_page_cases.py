"""Lobby pages from the front page to the board, with changes by others."""

import pytest


async def test_a_guest_whose_answer_comes_late_still_sits_at_his_own_game(visit, proxy):
    """The hint that the game has started may overtake the answer that carries his cookie."""
    ada, bob = await visit("ada"), await visit("bob", line=proxy)
    code = await ada.open_lobby("pincer")
    proxy.slow_answer = b"sessionid="
    await bob.page.goto(f"{bob.home}l/{code}/")
    await bob.page.click("form[action$='/sit/'] button:visible")
    await bob.wait_for_game()
    await bob.page.wait_for_selector("#resign:visible", timeout=5_000)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (768, 1024), (1280, 800)])
async def test_no_page_of_the_lobby_is_wider_than_the_screen(visit, width, height):
    ada = await visit("ada", width=width, height=height)
    code = await ada.open_lobby("amazons-8x8")
    for page in (f"l/{code}/", "new/", "", "watch/"):
        await ada.page.goto(f"{ada.home}{page}")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await ada.page.evaluate(wide) <= 0, page
