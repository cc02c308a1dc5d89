"""The end of a game: the result sheet, the points at the names, and spectators at a rematch."""

import re

from playwright.async_api import expect

from tests.browser.prepared.short_game_end import TIMEOUT_MS, play_to_the_end, sit_down

# Notes when the last move was there, and when each part of the page first told the result.
WATCH_END = """() => {
    window.endTimes = {};
    const any = selector => document.querySelector(selector) !== null;
    const parts = {
        moved: () => document.getElementById("moves").textContent.includes("a4-a3"),
        status: () => document.getElementById("game").dataset.status === "over",
        sentence: () => document.getElementById("sentence").textContent.includes("no piece"),
        speech: () => document.getElementById("speech").textContent.includes("no piece"),
        points: () => any(".points:not([hidden])"),
        pieces: () => document.querySelectorAll("#near .slot.lost").length === 4,
        sheet: () => any("#result:not([hidden])"),
    };
    new MutationObserver(() => {
        for (const [part, isTold] of Object.entries(parts))
            if (isTold()) window.endTimes[part] ??= performance.now();
    }).observe(document.body, {
        attributes: true, characterData: true, childList: true, subtree: true,
    });
}"""


async def test_each_is_told_the_result_after_the_last_motion_and_esc_puts_it_away(visit):
    ada, bob, eve = await sit_down(visit)
    await bob.page.emulate_media(reduced_motion="no-preference")
    await bob.page.evaluate(WATCH_END)
    await play_to_the_end(ada, bob)
    title = "#result-title"
    await expect(ada.page.locator(title)).to_have_text("You win", timeout=TIMEOUT_MS)
    await expect(bob.page.locator(title)).to_have_text("You lost", timeout=TIMEOUT_MS)
    await expect(eve.page.locator(title)).to_contain_text(" wins", timeout=TIMEOUT_MS)
    await expect(eve.page.locator("#rematch")).to_have_count(0)
    for person in (ada, bob, eve):
        await expect(person.page.locator("#result")).to_be_visible()
        points = sorted(await person.page.locator(".strip .points").all_inner_texts())
        assert points == ["0", "1"], person.name
        await expect(person.page.locator("#speech")).to_contain_text("no piece left")
    times = await bob.page.evaluate("window.endTimes")
    moved = times.pop("moved")
    assert len(times) == 6, times
    assert all(told - moved > 100 for told in times.values()), (moved, times)
    await expect(bob.page.locator("#result")).to_be_focused()  # his focus was in the panel
    assert not await ada.page.evaluate(
        "document.getElementById('result').contains(document.activeElement)"
    )
    await bob.page.keyboard.press("Escape")
    await expect(bob.page.locator("#result")).to_be_hidden()
    await expect(bob.page.locator("#show-result")).to_be_focused()
    await bob.page.keyboard.press("Enter")
    await expect(bob.page.locator("#result")).to_be_visible()
    await ada.page.click("#close-result")
    await expect(ada.page.locator("#result")).to_be_hidden()
    await ada.page.click("#look-back")
    await expect(ada.page.locator(".strip.won .points")).to_have_text("1")  # also in the replay


async def test_the_own_turn_is_marked_and_a_spectator_is_taken_along_to_the_rematch(visit):
    ada, bob, eve = await sit_down(visit)
    await own_turn_is_marked(ada, bob, eve)
    await play_to_the_end(ada, bob)
    first = eve.page.url
    await ada.page.click("#rematch:not([data-inert])", timeout=TIMEOUT_MS)
    await expect(bob.page.locator("#again-say")).to_contain_text("wants a rematch")
    await bob.page.click("#rematch:not([data-inert])")
    for person in (ada, bob, eve):
        await person.page.wait_for_url(lambda url: url != first and "/g/" in url)
    assert ada.page.url == bob.page.url == eve.page.url


async def own_turn_is_marked(ada, bob, eve) -> None:
    """Checks title, icon and names of a game in which Ada is to move and Eve watches."""
    icon = "document.querySelector('link[rel=icon]').href"
    await expect(ada.page.locator(".strip.mine")).to_have_count(1)
    assert (await ada.page.title()).startswith("● ")
    assert "favicon-turn" in await ada.page.evaluate(icon)
    for person in (bob, eve):
        await expect(person.page.locator(".strip.mine")).to_have_count(0)
        assert "●" not in await person.page.title()
        assert "favicon-turn" not in await person.page.evaluate(icon)
        await expect(person.page.locator("#steps")).to_be_hidden()
    await expect(bob.page.locator("#sentence")).to_contain_text("Waiting for ")
    waited = bob.page.locator("#waited")
    await expect(waited).to_have_text(re.compile(r"0:(0[2-9]|[1-5]\d)"), timeout=TIMEOUT_MS)
