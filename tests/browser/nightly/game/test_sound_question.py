"""The game page asks once whether sounds are wanted."""

import pytest
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import begin_game


@pytest.mark.parametrize(("answer", "sounds"), [("#sound-yes", "on"), ("#sound-no", "off")])
async def test_one_answer_is_the_last_one(visit, answer, sounds):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer")
    question = ada.page.locator("#sound-question")
    await expect(question).to_contain_text("Sound is off")
    await ada.page.click(answer)
    await expect(question).to_be_hidden()
    await ada.page.click("#open-setup")
    await expect(ada.page.locator(f"input[name=sounds][value={sounds}]")).to_be_checked()
    await ada.page.reload()
    await ada.wait_for_game()
    await expect(ada.page.locator("#speaker")).to_be_visible()
    await expect(question).to_be_hidden()


async def test_on_a_phone_it_stands_between_hint_and_buttons(visit):
    ada, bob = await visit("ada", width=390, height=844), await visit("bob")
    await begin_game(ada, bob, "pincer")
    question = ada.page.locator("#sound-question")
    boxes = [
        await ada.page.locator(part).bounding_box()
        for part in (".hint-line", "#sound-question", "#acts")
    ]
    edges = [edge for box in boxes for edge in (box["y"], box["y"] + box["height"])]
    assert edges == sorted(edges)
    await bob.offer_draw()
    await expect(ada.page.locator(".ask-sheet")).to_have_count(1)
    await expect(question).to_be_hidden()  # offers go first
    await ada.page.click('.ask-sheet button:has-text("Decline")')
    await ada.page.set_viewport_size({"width": 1280, "height": 800})
    await expect(question).to_be_visible()
    assert await question.evaluate("element => element.closest('header') !== null")
    await ada.page.set_viewport_size({"width": 390, "height": 844})
    await ada.page.click("#sound-yes")
    await expect(question).to_be_hidden()


async def test_in_a_full_header_it_is_hidden_rather_than_cut(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "blotto")
    question = ada.page.locator("#sound-question")
    await expect(question).to_be_visible()
    title = ada.page.locator("#game-name")
    await title.evaluate("element => { element.textContent += ' with a long name'.repeat(6) }")
    await expect(question).to_be_hidden()
    await title.evaluate("element => { element.textContent = 'Pincer' }")
    await expect(question).to_be_visible()


async def test_who_has_sounds_and_who_only_watches_is_not_asked(visit):
    ada, bob, eve = [await visit(name) for name in ("ada", "bob", "eve")]
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await expect(eve.page.locator("#speaker")).to_be_visible()
    await expect(eve.page.locator("#sound-question")).to_be_hidden()
    await bob.page.click("#speaker")
    await expect(bob.page.locator("#sound-question")).to_be_hidden()
