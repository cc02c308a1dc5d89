"""Trouble in the middle of something: lines cut, windows resized, sounds forbidden, people gone."""

import re

from playwright.async_api import expect

from tests.browser.prepared.short_game_end import play_to_the_end
from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.pointer_actions import centre, sit_down, step_is

TIMEOUT_MS = 15_000
COMES_BACK_MS = 20_000  # longer than the longest delay before a retry
SPLITS = ((4, 3, 3), (6, 4, 0))
# A browser that lets no page play: contexts stay suspended, and asking to resume them fails.
FORBID_SOUND = """
window.AudioContext = class extends AudioContext {
    get state() { return "suspended"; }
    resume() { return Promise.reject(new DOMException("not allowed", "NotAllowedError")); }
};
"""


async def test_a_spectator_whose_line_is_cut_during_the_reveal_gets_the_whole_result(visit, proxy):
    ada, bob = await sit_down(visit, "blotto")
    eve = await visit("eve", line=proxy, motion="no-preference")
    await eve.page.goto(eve.home + "g/" + ada.page.url.split("/g/")[1])
    await eve.page.wait_for_selector("#game")
    await ada.seal(SPLITS[0])
    await bob.seal(SPLITS[1])
    await eve.page.wait_for_selector("#troops[data-mode=reveal]")
    proxy.cut()
    await expect(eve.page.locator('.notice[data-kind="line"]')).to_be_visible(timeout=TIMEOUT_MS)
    await expect(eve.page.locator("#headline-what")).to_have_text(
        re.compile(r"Round 1: .+"), timeout=TIMEOUT_MS
    )
    proxy.mend()
    for person in (ada, bob):
        await person.page.click("#onward")
        await person.page.wait_for_selector("#troops[data-mode=compose]")
    await ada.seal(SPLITS[0])
    await bob.seal(SPLITS[1])
    await expect(eve.page.locator(".track tr").nth(1)).to_contain_text(
        re.compile(r"\d+.*\d+"), timeout=COMES_BACK_MS
    )
    await step_is(ada, 2)
    await eve.page.wait_for_selector("#game[data-step='2']", timeout=COMES_BACK_MS)


async def test_a_window_resized_during_a_drag_loses_neither_the_piece_nor_the_turn(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    mouse = ada.page.mouse
    await mouse.move(*await centre(ada, "c1"))
    await mouse.down()
    await mouse.move(*await centre(ada, "c4"), steps=4)
    await ada.page.set_viewport_size({"width": 900, "height": 700})
    await mouse.move(*await centre(ada, "c5"), steps=4)
    await mouse.up()
    await mouse.click(*await centre(ada, "e5"))
    await step_is(bob, 2)
    moved = await bob.page.get_attribute('.grid [data-square="c5"]', "aria-label")
    assert "amazon" in moved


async def test_a_browser_that_forbids_sounds_plays_on_in_silence(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.page.add_init_script(FORBID_SOUND)
    await begin_game(ada, bob, "pincer")
    await ada.page.click("#speaker")
    await expect(ada.page.locator("#speaker")).to_have_attribute("aria-pressed", "true")
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result-title")).to_have_text("You win", timeout=TIMEOUT_MS)


async def test_who_asks_for_a_rematch_is_told_that_the_opponent_went_elsewhere(visit):
    ada, bob = await sit_down(visit, "pincer")
    await play_to_the_end(ada, bob)
    await ada.page.click("#rematch:not([data-inert])", timeout=TIMEOUT_MS)
    await expect(bob.page.locator("#again-say")).to_contain_text("wants a rematch")
    await bob.open_lobby("blotto")
    await expect(ada.page.locator("#again-say")).to_contain_text("away right now")
    await expect(ada.page.locator("#new-game")).to_be_visible()


async def test_when_both_have_left_the_end_of_the_game_is_still_there(visit):
    ada, bob = await sit_down(visit, "pincer")
    await play_to_the_end(ada, bob)
    url = ada.page.url
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    await ada.page.close()
    await bob.go_home()
    eve = await visit("eve")
    await eve.page.goto(url)
    await expect(eve.page.locator(".strip.won .points")).to_have_text("1")
    await bob.page.goto(url)
    await expect(bob.page.locator("#sentence")).to_contain_text("You lost")
