"""Announcements to screen readers: on arrival, at each half-step and move, by letter keys."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.keyboard_user import heard, sit_down

pytestmark = pytest.mark.timeout(300)
POINTER_WORDS = re.compile(r"\b(click|tap|press the mouse)", re.IGNORECASE)
# Number of squares of the grid that can be chosen now.
TARGETS = "() => document.querySelectorAll('.grid button[data-target]').length"


async def test_on_arrival_the_game_ones_side_the_turn_and_the_pieces_are_told(typist):
    ada, bob = await sit_down(typist, "amazons-8x8")
    eve = await typist("eve")
    await eve.page.goto(ada.page.url)
    own, other = "a3, c1, f1, h3", "a6, c8, f8, h6"
    await heard(ada, f"Amazons 8 by 8. You are White, to move. Your amazons: {own}.")
    await heard(bob, "Amazons 8 by 8. You are Black. Waiting for ")
    await heard(bob, f"Your amazons: {other}.")
    await heard(eve, "Amazons 8 by 8. You’re watching. Waiting for ")


async def test_each_half_step_and_each_refusal_is_spoken(typist):
    ada, bob = await sit_down(typist, "amazons-8x8")
    await ada.to_board()
    await ada.choose("c1")
    await heard(ada, f"c1 chosen, {await ada.page.evaluate(TARGETS)} targets.")
    await ada.choose("c5")
    await heard(ada, f"Moved to c5. Now shoot: {await ada.page.evaluate(TARGETS)} targets.")
    await ada.choose("a3")  # another piece takes the place of the chosen one
    await heard(ada, f"a3 chosen, {await ada.page.evaluate(TARGETS)} targets.")
    await ada.choose("b1")
    await heard(ada, "b1, empty: not possible.")
    await ada.press("Escape")
    await heard(ada, "Nothing chosen.")
    await ada.choose("c1", "c5", "c6")
    await heard(ada, "You: c1 to c5, burned c6.")
    await heard(bob, re.compile(r"^\S+: c1 to c5, burned c6\. Your turn"))
    await ada.keeps_place()


async def test_letters_on_the_board_read_the_position_the_clocks_and_the_last_move(typist):
    ada, bob = await typist("ada"), await typist("bob")
    await begin_game(ada, bob, "amazons-8x8", clock="fischer:300:3")
    await ada.answer("c1-c5/c6")
    await ada.step_is(2)
    await ada.to_board()
    await ada.press("o")
    await heard(ada, "Your amazons: a3, c5, f1, h3. Black amazons: a6, c8, f8, h6.")
    await heard(ada, "1 square burnt: c6.")
    await ada.press("l")
    await heard(ada, "Last move: You: c1 to c5, burned c6.")
    await ada.press("t")
    await heard(ada, re.compile(r"^You: \d+ minutes?[^.]*\. \S+: [^.]*, running\.$"))
    await bob.to_board()
    await bob.press("l")
    await heard(bob, re.compile(r"^Last move: \S+: c1 to c5, burned c6\."))


async def test_letters_do_nothing_beside_the_board_or_when_they_are_switched_off(typist):
    ada, _ = await sit_down(typist, "amazons-8x8")
    await heard(ada, "Amazons 8 by 8.")
    await ada.tab_to("#flip")
    await ada.press("o", "t", "l")
    await ada.to_board()
    await ada.press("t")
    await heard(ada, "There’s no clock.")
    assert await ada.page.locator("#speech p").count() == 2
    await ada.enter("#open-setup")
    await ada.pick("letters", "off")
    await ada.press("Escape")
    assert await ada.page.get_attribute("#board", "aria-keyshortcuts") is None
    await ada.to_board()
    await ada.press("o", "t", "l")
    await ada.choose("c1")
    await heard(ada, "c1 chosen, ")
    assert await ada.page.locator("#speech p").count() == 3


@pytest.mark.parametrize("key", ["amazons-8x8", "blotto"])
async def test_the_second_link_of_the_document_leads_to_the_board(typist, key):
    ada, _ = await sit_down(typist, key)
    await ada.page.evaluate("document.activeElement.blur()")
    await ada.press("Tab", "Tab")
    board = "#troops" if key == "blotto" else "#board"
    assert await ada.page.evaluate("document.activeElement.getAttribute('href')") == board
    await ada.press("Enter")
    await expect(ada.page.locator(board)).to_be_focused()


@pytest.mark.parametrize("key", ["amazons-8x8", "amazons", "pincer"])
async def test_no_hint_names_a_pointer(typist, key):
    ada, _ = await sit_down(typist, key)
    await ada.page.evaluate(
        "localStorage.setItem('quiver-settings', JSON.stringify({ send: 'tap' }))"
    )
    await ada.page.reload()
    await ada.is_up()
    hints = [await ada.page.inner_text("#status")]
    target = ada.page.locator(".grid button[data-target]")
    for _ in range(4):
        if await target.count() == 0:
            break
        await target.first.evaluate("button => button.click()")
        hints.append(await ada.page.inner_text("#status"))
    assert len(set(hints)) > 2
    assert not POINTER_WORDS.search(" ".join(hints)), hints


async def test_links_to_ones_games_name_the_game(typist):
    ada, bob = await sit_down(typist, "amazons-8x8")
    name = await bob.page.evaluate(
        "JSON.parse(document.getElementById('snapshot').textContent).seats.black.name"
    )
    await ada.go_home()
    said = re.compile(rf"^Play ?: Against {re.escape(name)} ?, Amazons 8×8$")
    link = ada.page.get_by_role("link", name=said)
    await expect(link).to_have_count(1)
