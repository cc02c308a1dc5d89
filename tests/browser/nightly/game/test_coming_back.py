"""Reconnection: the draft, sent actions and the opponent's steps survive it."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import AMAZONS_8X8, squares
from tests.browser.probes.accessibility_tree import RECORD, expected, state_of, tree_of
from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.keyboard_user import TIMEOUT_MS
from tests.browser.visitors.pointer_actions import centre, prefer

pytestmark = pytest.mark.timeout(300)
PHONE = {"width": 360, "height": 640, "touch": True}
OLD = "Reconnecting…"
# Notes the time of the page's first warning that its board may be old.
WATCH_VEIL = """words => {
    window.veiled = null;
    new MutationObserver((_, observer) => {
        if (!document.querySelector("#notices").textContent.includes(words)) return;
        window.veiled = performance.now();
        observer.disconnect();
    }).observe(document.querySelector("#notices"), {
        childList: true, subtree: true, characterData: true, attributes: true,
    });
}"""


async def tap(person, *chosen: str) -> None:
    """Taps squares with a finger, one after the other."""
    for square in chosen:
        await person.page.touchscreen.tap(*await centre(person, square))


async def hand_is(person, state: str) -> None:
    await person.page.wait_for_selector(f"#board[data-hand='{state}']")


def bare(names: dict[str, str]) -> dict[str, str]:
    """The pieces on the squares, without the possible actions."""
    return {square: said.partition(",")[0] for square, said in names.items()}


async def sees(person, role: str, steps: int) -> None:
    """The page shows the game after so many steps, square by square as the rules have it."""
    await person.step_is(steps)
    rules, state = await state_of(person)
    assert bare((await tree_of(person)).squares()) == bare(expected(rules, state, role))


async def back_on_the_line(line, person) -> None:
    """Mends the line, and waits until the page trusts its board again."""
    line.mend()
    await expect(person.page.locator("#notices")).not_to_contain_text(OLD, timeout=TIMEOUT_MS)


async def actions(person) -> int:
    """The number of actions in the server's record."""
    return len((await person.page.evaluate(RECORD))["actions"])


async def test_a_phone_loses_its_page_and_its_line_and_nothing_else(typist, proxy):
    ada, bob = await typist("ada"), await typist("bob", line=proxy, **PHONE)
    await begin_game(ada, bob, "amazons-8x8")
    await prefer(bob, "send", "tap")
    questions = []

    async def leave(dialog):
        questions.append(dialog.type)
        await dialog.accept()

    bob.page.on("dialog", leave)
    turns = [squares(turn) for turn in AMAZONS_8X8]

    # The page is loaded anew, first with half a turn in the hand, then with a whole one not sent.
    await ada.answer(AMAZONS_8X8[0])
    await bob.is_up()
    await tap(bob, *turns[1][:2])
    await hand_is(bob, "open")
    await bob.page.reload()
    await bob.is_up()
    await hand_is(bob, "empty")
    await tap(bob, *turns[1])
    await hand_is(bob, "ready")
    await bob.page.reload()
    await bob.is_up()
    assert questions == ["beforeunload"]
    await hand_is(bob, "empty")
    await sees(bob, "black", 2)
    await tap(bob, *turns[1], turns[1][-1])
    await ada.step_is(4)

    # The line is cut while half a plan is in the hand, and the other side moves meanwhile.
    await bob.step_is(4)
    await tap(bob, turns[3][0])
    await hand_is(bob, "open")
    await bob.page.evaluate(WATCH_VEIL, OLD)
    begun = await bob.page.evaluate("performance.now()")
    proxy.cut()
    await bob.page.wait_for_function("() => window.veiled !== null")
    assert await bob.page.evaluate("window.veiled") - begun <= 3_000
    await ada.answer(AMAZONS_8X8[2])
    await ada.step_is(6)
    await tap(bob, *turns[3][1:])
    assert await bob.page.get_attribute("#game", "data-step") == "4"
    await back_on_the_line(proxy, bob)
    await sees(bob, "black", 6)
    assert await actions(ada) == 6

    # Confirm moves into a line that carries nothing; it is sent again when the line is back.
    await bob.page.keyboard.press("Escape")
    await tap(bob, *turns[3])
    await hand_is(bob, "ready")
    proxy.swallow()
    await tap(bob, turns[3][-1])
    await hand_is(bob, "sent")
    await expect(bob.page.locator("#notices")).to_contain_text(OLD, timeout=TIMEOUT_MS)
    await expect(bob.page.locator("#notices")).to_contain_text(
        "Your move is saved and will be sent again."
    )
    assert await actions(ada) == 6
    await back_on_the_line(proxy, bob)
    await sees(bob, "black", 8)
    assert await actions(ada) == 8

    # A turn arrives, and its receipt is lost: sent again it is not played again.
    await ada.answer(AMAZONS_8X8[4])
    await bob.step_is(10)
    await tap(bob, *turns[5])
    await hand_is(bob, "ready")
    proxy.deafen()
    await tap(bob, turns[5][-1])
    await ada.step_is(12)
    await expect(bob.page.locator("#notices")).to_contain_text(OLD, timeout=TIMEOUT_MS)
    proxy.mend()
    await expect(bob.page.locator("#chip")).to_contain_text("Already done", timeout=TIMEOUT_MS)
    await back_on_the_line(proxy, bob)
    await sees(bob, "black", 12)
    assert await actions(ada) == 12

    # The end comes while the line is cut.
    proxy.cut()
    await ada.answer(AMAZONS_8X8[6])
    await ada.wins()
    await back_on_the_line(proxy, bob)
    await bob.page.wait_for_selector("#game[data-status=over]")
    await sees(bob, "black", 14)
    assert await actions(ada) == 14
    told = [await person.page.inner_text("#sentence") for person in (ada, bob)]
    assert told[0].startswith("You win.")
    assert told[1].startswith("You lost.")
