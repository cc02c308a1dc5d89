"""Every function of the game page, of the lobby and of the settings with the keyboard alone."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.keyboard_user import TIMEOUT_MS, Typist, sit_down

pytestmark = pytest.mark.timeout(300)
FIRST, SECOND, THIRD = "a5-b5 a7-a6", "g5-f5 g7-g6", "b5-c5 a6-b6"


async def begin(typist, **first) -> tuple[Typist, Typist]:
    """A game of Pincer in which both have completed a turn."""
    ada, bob = await sit_down(typist, "pincer", **first)
    await ada.answer(FIRST)
    await bob.step_is(2)
    await bob.answer(SECOND)
    await ada.step_is(4)
    return ada, bob


async def over(*people: Typist) -> None:
    for person in people:
        await person.page.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)


async def keep_place(*people: Typist) -> None:
    for person in people:
        await person.keeps_place()


async def reads(person: Typist, part: str, words: str) -> None:
    await expect(person.page.locator(part)).to_contain_text(words, timeout=TIMEOUT_MS)


async def test_a_draw_is_offered_withdrawn_declined_and_agreed(typist):
    ada, bob = await begin(typist)
    await ada.enter_when_it_may("#draw")
    await ada.enter_when_it_may("[data-command=offer]")
    await ada.enter_when_it_may("[data-command=withdraw]")
    await expect(bob.page.locator(".ask-sheet")).to_have_count(0, timeout=TIMEOUT_MS)
    await ada.enter_when_it_may("#draw")
    await ada.enter_when_it_may("[data-command=offer]")
    await bob.enter_when_it_may("[data-command=decline]")
    await reads(ada, "#notices", "declined the draw")
    await keep_place(ada, bob)
    await ada.answer(THIRD)
    await bob.step_is(6)
    await bob.type_turn("draw")
    await ada.enter_when_it_may("[data-command=accept]")
    await over(ada, bob)
    await ada.says("Draw. By agreement.")
    await keep_place(ada, bob)


async def test_offers_are_answered_on_a_phone_in_whichever_part_of_the_panel_one_is(typist):
    ada, bob = await begin(typist, width=360, height=640)
    for number, tab in enumerate(("turn", "moves", "chat", "more")):
        await ada.enter(f".tab[data-tab={tab}]")
        await bob.enter_when_it_may("#draw" if number % 2 else "#takeback")
        await bob.enter_when_it_may(f"[data-command={'offer' if number % 2 else 'askBack'}]")
        deed = "decline" if number % 2 else "refuseBack"
        await ada.enter_when_it_may(f"[data-command={deed}]")
        await reads(bob, "#notices", "declined")
        await expect(bob.page.locator(".ask-sheet")).to_have_count(0, timeout=TIMEOUT_MS)
        await ada.keeps_place()
        await ada.tab_to(".grid button")
        mover, other = (ada, bob) if number % 2 == 0 else (bob, ada)
        await mover.answer((THIRD, "f5-e5 g6-f6", "c5-d5 b6-c6", "e5-e4 f6-e6")[number])
        await other.step_is(6 + 2 * number)
    await ada.enter_when_it_may("#resign")
    await ada.enter(".tab[data-tab=turn]")
    await ada.enter_when_it_may("[data-command=keepPlaying]")
    await keep_place(ada, bob)


async def test_a_spectator_needs_no_pointer(typist):
    ada, bob = await begin(typist)
    cy = await typist("cy")
    await cy.go_home()
    await cy.enter(f"a[href*='{await ada.wait_for_game()}']")
    await cy.page.wait_for_url("**/g/*/", wait_until="commit")
    await cy.to_board()
    await cy.go_to("d4")
    await cy.enter("#look-first")
    await ada.answer(THIRD)
    await reads(cy, "#follow", "Follow live (1 new)")
    await cy.enter("#follow")
    await cy.enter("#flip")
    await cy.enter("#open-share")
    await expect(cy.page.locator("#share-copy")).to_be_focused()
    await cy.press("Escape")
    await expect(cy.page.locator("#open-share")).to_be_focused()
    await cy.enter("#open-setup")
    await cy.pick("chat", "off")
    await cy.enter("#close-setup")
    await expect(cy.page.locator("#open-setup")).to_be_focused()
    await bob.type_turn("resign")
    await over(bob, cy)
    await cy.enter_when_it_may("#look-back")
    await keep_place(bob, cy)


async def test_a_turn_is_taken_back(typist):
    ada, bob = await begin(typist)
    await bob.enter_when_it_may("#takeback")
    await bob.enter_when_it_may("[data-command=askBack]")
    await ada.enter_when_it_may("[data-command=giveBack]")
    for person in (ada, bob):
        await person.step_is(2)
    await keep_place(ada, bob)
    await ada.tab_to("#slider")
    await ada.press("Home", "ArrowRight")
    await bob.answer(SECOND)
    await ada.step_is(4)
    await bob.type_turn("takeback")
    await ada.enter_when_it_may("[data-command=refuseBack]")
    await reads(bob, "#notices", "declined the takeback")
    await keep_place(ada, bob)


async def test_one_resigns_after_a_second_thought_and_both_want_a_rematch(typist):
    ada, bob = await begin(typist)
    await ada.enter_when_it_may("#resign")
    await ada.page.wait_for_selector("[data-command=resign]")
    await ada.press("Escape")
    await expect(ada.page.locator("#resign")).to_be_focused()
    await ada.press("Enter")
    await ada.enter_when_it_may("[data-command=resign]")
    await over(ada, bob)
    first = ada.page.url
    await ada.enter_when_it_may("#rematch")
    await reads(bob, "#again-say", "wants a rematch")
    await keep_place(ada, bob)
    await bob.enter_when_it_may("#rematch")
    for person in (ada, bob):
        await person.page.wait_for_function("first => location.href !== first", arg=first)
        await person.step_is(0)
    await bob.is_up()
    await bob.enter_when_it_may("#resign")
    await bob.enter_when_it_may("[data-command=abort]")
    await over(ada, bob)
    await keep_place(ada, bob)


async def test_resigning_and_turning_the_board_are_typed(typist):
    ada, bob = await begin(typist)
    await ada.type_turn("flip")
    await expect(ada.page.locator(".grid button").first).to_have_attribute("data-square", "g1")
    await ada.enter("#flip")
    await expect(ada.page.locator(".grid button").first).to_have_attribute("data-square", "a7")
    await ada.type_turn("a9-b9")
    await reads(ada, "#typed-say", "There is no square")
    await ada.page.keyboard.press("Control+a")
    await ada.page.keyboard.type("resign")
    await ada.press("Enter")
    await over(ada, bob)
    await keep_place(ada, bob)


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
async def test_one_looks_back_and_comes_forward(typist, size):
    ada, _ = await begin(typist, width=size[0], height=size[1])
    if size[0] < 600:
        await ada.enter(".tab[data-tab=moves]")
    place = ada.page.locator("#place")
    await ada.enter("#look-back")
    await expect(place).to_have_text("1 of 2")
    await ada.press("ArrowLeft")
    await expect(place).to_have_text("0 of 2")
    await ada.press("End")
    await expect(place).to_have_text("2 of 2")
    await ada.tab_to("#moves button[tabindex='0']")
    await ada.press("ArrowLeft")
    await expect(ada.page.locator("#moves button:focus")).to_have_attribute("data-turns", "1")
    await ada.press("Enter")
    await expect(place).to_have_text("1 of 2")
    await ada.tab_to("#slider")
    await ada.press("Home")
    await expect(place).to_have_text("0 of 2")
    await ada.press("ArrowRight")
    await expect(place).to_have_text("1 of 2")
    await ada.enter("#follow")
    await expect(place).to_have_text("2 of 2")
    await ada.enter("#look-first")
    await ada.enter("#look-forward")
    await expect(place).to_have_text("1 of 2")
    await ada.enter("#look-last")
    await expect(place).to_have_text("2 of 2")
    await keep_place(ada)


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
async def test_settings_are_chosen_beside_the_board_and_the_turn_waits_for_its_button(typist, size):
    ada, bob = await begin(typist, width=size[0], height=size[1])
    narrow = size[0] < 600
    if narrow:
        await ada.enter(".tab[data-tab=more]")
    await ada.enter("#open-setup")
    await ada.pick("send", "button")
    await ada.pick("coordinates", "off")
    await ada.pick("side", "black")
    await ada.press("Escape")
    await expect(ada.page.locator("#open-setup")).to_be_focused()
    await expect(ada.page.locator(".grid button").first).to_have_attribute("data-square", "g1")
    await ada.enter("#speaker")
    await expect(ada.page.locator("#speaker")).to_have_attribute("aria-pressed", "true")
    await ada.to_board()
    await ada.choose(*squares(THIRD)[:3])
    if narrow:
        await ada.enter(".tab[data-tab=turn]")
    await ada.enter("#undo")
    await ada.tab_to(".grid button")
    await ada.choose(*squares(THIRD)[2:])
    await ada.enter("#send")
    await bob.step_is(6)
    await keep_place(ada)


async def test_a_turn_is_planned_dropped_planned_again_and_sent_by_itself(typist):
    ada, bob = await begin(typist)
    await bob.to_board()
    await bob.choose("a1", "b1", "a3", "b3")
    await bob.page.wait_for_selector("#board[data-hand=planned]")
    await bob.press("Escape")
    await bob.page.wait_for_selector("#board[data-hand=empty]")
    await bob.choose("a1", "b1", "a3", "b3")
    await ada.answer(THIRD)
    await ada.step_is(8)
    await keep_place(bob)


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
async def test_guests_talk_in_phrases(typist, size):
    ada, bob = await begin(typist, width=size[0], height=size[1])
    await bob.enter(".tab[data-tab=chat]")
    await ada.enter(".tab[data-tab=chat]")
    chip = ada.page.get_by_role("group", name="Quick chat").get_by_role("button")
    await expect(chip.nth(1)).to_be_visible(timeout=TIMEOUT_MS)
    await ada.tab_to(".chat-chip")
    words = []
    for _ in range(3):
        words.append(await ada.page.evaluate("document.activeElement.textContent"))
        await ada.press("Enter")
        await expect(bob.page.locator(".chat-text")).to_have_text(words, timeout=TIMEOUT_MS)
        await ada.press("Tab")
    await keep_place(ada, bob)


async def test_the_host_changes_every_option_and_the_seats(typist):
    ada, bob = await typist("ada"), await typist("bob")
    code = await ada.open_lobby_by_keys("pincer")
    await ada.enter("#copy")
    await ada.enter("form[action$='/unready/'] button")
    await bob.join_by_keys(code)
    await bob.page.wait_for_url("**/l/*/", timeout=TIMEOUT_MS)
    for option, chosen in [
        ("game", "amazons-8x8"),
        ("clock", "none"),
        ("side", "white"),
        ("visibility", "link"),
        ("watch", "off"),
    ]:
        buttons = ada.page.locator(f"[data-option={option}] .segments button")
        values = await buttons.evaluate_all("all => all.map(each => each.value)")
        pressed = await ada.page.get_attribute(
            f"[data-option={option}] .segments [aria-pressed=true]", "value"
        )
        other = (
            chosen
            if chosen in values and chosen != pressed
            else next(value for value in values if value != pressed)
        )
        await ada.enter(f"[data-option={option}] .segments button[value='{other}']")
        now = ada.page.locator(f"[data-option={option}] .segments button[value='{other}']")
        await expect(now).to_have_attribute("aria-pressed", "true")
        await expect(now).to_be_focused()
    await ada.enter(".swap button")
    await ada.keeps_place()
    await expect(bob.page.locator("#notice")).to_be_visible(timeout=TIMEOUT_MS)
    await ada.enter_when_it_may("#start")
    await bob.enter_when_it_may("#start")
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())


async def test_ways_out_of_a_lobby(typist):
    ada, bob = await typist("ada"), await typist("bob")
    code = await ada.open_lobby_by_keys("pincer")
    await ada.enter("form[action$='/unready/'] button")
    await bob.join_by_keys(code)
    await bob.page.wait_for_url("**/l/*/", timeout=TIMEOUT_MS)
    await bob.enter("form[action$='/leave/'] button")
    await expect(ada.page.locator("[data-seat='1'] .seat-name")).not_to_contain_text("bob")
    await ada.keeps_place()
    await ada.enter("form[action$='/close/'] button")
    await expect(ada.page.locator("#start")).to_be_hidden(timeout=TIMEOUT_MS)


async def test_settings_name_language_and_the_way_out(typist):
    ada = await typist("ada")
    await ada.open_lobby_by_keys("pincer")
    await ada.enter(".menu.only-wide summary")
    await ada.enter(".menu-sheet a[href$='/settings/']")
    await ada.page.wait_for_url("**/settings/", timeout=TIMEOUT_MS)
    await ada.tab_to(".name-form input[name=username]")
    await ada.press("Control+a")
    await ada.page.keyboard.type("Keyzz")
    await ada.press("Enter")
    await expect(ada.page.locator(".menu-name").first).to_have_text("Keyzz", timeout=TIMEOUT_MS)
    await ada.pick("send", "tap")
    await reads(ada, "#kept", "Saved on this device.")
    await ada.pick("theme", "dark")
    await ada.keeps_place()
    await ada.enter("button[name=language][value=tr]")
    await ada.page.wait_for_selector("html[lang=tr]", timeout=TIMEOUT_MS)
    await ada.enter("button[name=language][value=en]")
    await ada.page.wait_for_selector("html[lang=en]", timeout=TIMEOUT_MS)
    await ada.enter(".menu.only-wide summary")
    await ada.enter(".menu-sheet form button")
    await ada.page.wait_for_selector("a[href*='log-in']:visible", timeout=TIMEOUT_MS)
