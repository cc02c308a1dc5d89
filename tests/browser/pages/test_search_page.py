"""Searching for an opponent in a browser: strangers meet, and nobody meets who has left."""

import asyncio

from playwright.async_api import Route, expect

TIMEOUT_MS = 20_000  # ms
RESIGN = """slug => new Promise((done) => {
    const line = new WebSocket(`ws://${location.host}/ws/g/${slug}/`);
    const topic = `game:${slug}`;
    line.onopen = () => {
        line.send(JSON.stringify({ t: "subscribe", topic }));
        line.send(JSON.stringify({ t: "resign", topic, id: "test" }));
    };
    line.onmessage = ({ data }) => {
        if (JSON.parse(data).t === "receipt") { line.close(); done(); }
    };
})"""
ALONE = "No one else is searching yet"


async def test_two_strangers_meet_and_play_again(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.search("pincer")
    await expect(ada.page.locator("#looking-count")).to_have_text(ALONE)
    await bob.search("pincer")
    slug = await bob.wait_for_game()
    assert await ada.wait_for_game() == slug
    await ada.page.goto(f"{ada.home}play/online/")
    assert await ada.wait_for_game() == slug  # led back
    await ada.page.evaluate(RESIGN, slug)
    for person in (bob, ada):
        await person.page.locator("button:visible:has-text('Rematch')").click(timeout=TIMEOUT_MS)
    for person in (bob, ada):
        await person.page.wait_for_url(lambda url: "/g/" in url and slug not in url)
    assert await ada.wait_for_game() == await bob.wait_for_game()


async def test_a_page_that_is_being_left_takes_no_game_from_the_next_one(visit):
    """The form's page still follows the search while the next page loads."""
    ada, bob = await visit("ada"), await visit("bob")
    is_asked, is_answered, may_go = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def read_frame(frame: str | bytes) -> None:
        if '"asked"' in str(frame):
            is_asked.set()

    bob.page.on("websocket", lambda socket: socket.on("framereceived", read_frame))
    await bob.search("pincer")
    await bob.page.click("#cancel button")
    await bob.page.wait_for_selector("#search-form:not([hidden])")
    await ada.search("pincer")
    await ada.page.evaluate("document.querySelector('.meanwhile form').requestSubmit()")
    await ada.wait_for_game()  # against the computer: she is asked before another game begins

    async def hold(route: Route) -> None:
        response = await route.fetch(max_redirects=0)
        is_answered.set()
        await may_go.wait()
        await route.fulfill(response=response)

    await bob.page.route("**/play/online/", hold)
    await bob.page.evaluate("document.querySelector('#find').click()")
    await is_answered.wait()
    await is_asked.wait()
    async with bob.page.expect_navigation():
        may_go.set()
    found = "Opponent found. Waiting for their answer…"
    await expect(bob.page.locator("#looking-say")).to_have_text(found)
    await ada.page.locator("#asks .ask-sheet button:has-text('Play')").click()
    assert await bob.wait_for_game()
