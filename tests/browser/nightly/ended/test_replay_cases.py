"""Replay of a running or finished game, and its page after the end."""

import json

from playwright.async_api import expect

from tests.browser.prepared.typed_games import (
    TURNS,
    is_over,
    looks_at,
    play,
    sit_down,
    stands,
    step_is,
    type_turn,
)


async def test_nothing_jumps_while_one_looks_back_and_the_hand_is_kept(visit):
    ada, bob = await sit_down(visit, "pincer")
    await play(ada, bob, TURNS[:2])
    await ada.page.click(".grid button[data-square=b5]")
    await ada.page.click(".grid button[data-square=c5]")
    await ada.page.evaluate("document.activeElement.blur()")
    await ada.page.keyboard.press("Home")
    await looks_at(ada, 0, 2)
    assert "triangle" in await stands(ada, "a5")
    await expect(ada.page.locator("#follow")).to_have_text("Follow live")
    await ada.page.click("#follow")
    await expect(ada.page.locator("#chip")).to_contain_text("b5-c5 (draft)")
    await ada.page.click(".grid button[data-square=a6]")
    await ada.page.click(".grid button[data-square=b6]")
    await step_is(ada, 6)
    await ada.page.evaluate("document.activeElement.blur()")
    await ada.page.keyboard.press("ArrowLeft")
    await looks_at(ada, 2, 3)
    await type_turn(bob, TURNS[3])
    await step_is(ada, 8)
    await looks_at(ada, 2, 4)
    assert "triangle" in await stands(ada, "b5")
    await expect(ada.page.locator("#follow")).to_have_text("Follow live (1 new)")
    await ada.page.click("#follow")
    await looks_at(ada, 4, 4)
    assert "circle" in await stands(ada, "e5")


async def test_a_finished_game_opens_at_its_end_or_at_the_turn_of_its_address(visit):
    ada, bob = await sit_down(visit, "pincer")
    await play(ada, bob)
    await type_turn(ada, "resign")
    await is_over(ada, bob)
    cy = await visit("cy", width=360, height=640)
    address = ada.page.url
    await cy.page.goto(address)
    await cy.says("resigned")
    await cy.page.click(".tab[data-tab=moves]")
    await looks_at(cy, 4, 4)
    await cy.page.goto(f"{address}#2")
    await cy.page.click(".tab[data-tab=moves]")
    await looks_at(cy, 2, 4)
    assert "triangle" in await stands(cy, "b5")
    async with cy.page.expect_download() as coming:
        await cy.page.click(".tab[data-tab=more]")
        await cy.page.click("#record")
    path = await (await coming.value).path()
    record = json.loads(path.read_text())
    assert (record["game"], len(record["actions"])) == ("pincer", 8)


async def test_the_rounds_of_blotto_are_looked_back_at(visit):
    ada, bob = await sit_down(visit, "blotto")
    for number, splits in enumerate([((4, 3, 3), (6, 4, 0)), ((5, 5, 0), (1, 1, 8))]):
        await ada.seal(splits[0])
        await bob.seal(splits[1])
        for person in (ada, bob):
            await step_is(person, number + 1)
            await person.page.click("#onward")
    await ada.page.evaluate("document.activeElement.blur()")
    await ada.page.keyboard.press("ArrowLeft")
    await expect(ada.page.locator("#headline-what")).to_contain_text("Round 1")
    slider = ada.page.locator("#slider")
    await expect(slider).to_have_attribute("aria-valuetext", "move 1 of 2: 4 3 3 – 6 4 0")
    await ada.page.click("#follow")
    await expect(ada.page.locator("#sentence")).to_contain_text("Round 3")


async def test_a_rematch_asked_by_both_begins_with_sides_swapped(visit):
    ada, bob = await sit_down(visit, "pincer")
    await play(ada, bob, TURNS[:2])
    first = ada.page.url
    await type_turn(ada, "resign")
    await is_over(ada, bob)
    await ada.page.get_by_role("button", name="Rematch").click()
    await expect(bob.page.locator("#again-say")).to_contain_text("wants a rematch", timeout=10_000)
    await expect(bob.page.locator("#rematch")).to_have_attribute(
        "aria-disabled", "false", timeout=5_000
    )
    await bob.page.click("#rematch")
    for person in (ada, bob):
        await person.page.wait_for_function("first => location.href !== first", arg=first)
        await person.page.wait_for_selector("#game[data-step='0']")
    assert await bob.may_act()
    assert not await ada.may_act()
