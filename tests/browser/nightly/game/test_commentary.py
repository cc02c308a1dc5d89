"""Comments on the newest turn: captures for players, and advice too for spectators."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import AMAZONS_8X8, PINCER, squares
from tests.browser.visitors.pointer_actions import click, prefer, sit_down, step_is

CAUGHT = "The circles on a1 and a2 were caught between the wall and a3."


async def watch(visit, person, **device):
    eve = await visit("eve", **device)
    await eve.page.goto(person.page.url)
    await eve.page.wait_for_selector("#game[data-step]")
    return eve


async def hint_is(person, sentence):
    await expect(person.page.locator("#hint")).to_have_text(sentence)


async def play(people, turns):
    for number, turn in enumerate(turns):
        mover = people[number % 2]
        await mover.page.wait_for_selector("#game[data-turn='yours']")
        await click(mover, *squares(turn))


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_a_capture_is_told_with_what_held_the_pieces(visit, size):
    width, height = size
    ada, bob = await sit_down(visit, "pincer", second={"width": width, "height": height})
    eve = await watch(visit, ada)
    await hint_is(eve, "You’re watching.")
    await play([ada, bob], PINCER[:2])
    await hint_is(eve, "Triangles can take a1 and a2 with one step.")
    await hint_is(ada, "Pick a triangle to move one square.")  # no advice for players
    await play([ada, bob], ["a4-a3 g1-g2"])
    await step_is(bob, 6)
    await hint_is(eve, CAUGHT)
    await hint_is(bob, f"{CAUGHT} Pick a circle to move one square.")
    whole = "hint => hint.parentElement.scrollHeight <= hint.parentElement.clientHeight"
    assert await bob.page.locator("#hint").evaluate(whole)
    await click(bob, "g6")  # the next choice takes its place
    await hint_is(bob, "Move to any dot.")


async def test_spectators_of_amazons_are_told_who_has_little_room(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    eve = await watch(visit, bob)
    await play([ada, bob], AMAZONS_8X8[:5])
    await step_is(eve, 10)
    await hint_is(eve, "Black’s amazon on b8 cannot move.")
    await hint_is(bob, "Pick the amazon you want to move.")
    await eve.page.click("#look-back")
    await expect(eve.page.locator("#hint")).to_contain_text("After ")
    await eve.page.click("#look-last")
    await hint_is(eve, "Black’s amazon on b8 cannot move.")


# Notes the hint and the number of open fields at each change of the hint.
WATCH = """() => {
    window.noted = [];
    const hint = document.getElementById("hint");
    const verdicts = () => [...document.querySelectorAll(".verdict-words")]
        .filter(each => each.textContent !== "").length;
    const note = () => window.noted.push([hint.textContent, verdicts()]);
    new MutationObserver(note).observe(hint, { childList: true, subtree: true });
}"""


async def test_a_round_is_told_only_after_its_last_field_has_opened(visit):
    ada, bob = await sit_down(visit, "blotto")
    eve = await watch(visit, ada, motion="no-preference")
    names = [await eve.page.locator(f"#{end} .name").inner_text() for end in ("near", "far")]
    await eve.page.evaluate(WATCH)
    await ada.seal((6, 4, 0))
    await bob.seal((2, 3, 5))
    told = f"{names[0]} took Hill and Ford. {names[1]} took Wood."
    await expect(eve.page.locator("#hint")).to_have_text(told, timeout=20_000)
    noted = await eve.page.evaluate("noted")
    assert [opened for hint, opened in noted if " took " in hint] == [3]


async def test_after_the_end_the_result_says_it_all(visit):
    ada, bob = await sit_down(visit, "pincer")
    await prefer(ada, "send", "once")
    await play([ada, bob], PINCER)
    await ada.page.wait_for_selector("#result:not([hidden])")
    await hint_is(ada, "")
