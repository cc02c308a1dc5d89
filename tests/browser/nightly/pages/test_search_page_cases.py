"""Searching for an opponent in a browser: strangers meet, and nobody meets who has left."""

import asyncio

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import lobby_of

TIMEOUT_MS = 20_000  # ms
OFFER_TIMEOUT_MS = 25_000  # ms: the offers come after 15 s
ANSWER_S = 4.0  # a pair has answered by then, or has come to nothing
ALONE = "No one else is searching yet"


async def test_a_search_for_several_games_names_each_once(visit):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}play/online/")
    names = [name.strip() for name in await ada.page.locator(".search-name").all_inner_texts()]
    await ada.page.click("#find")  # all games are chosen at first
    await expect(ada.page.locator("#looking-count")).to_have_text(ALONE)
    rows = ada.page.locator("#looking-choices li")
    await expect(rows).to_have_count(len(names))
    assert [row.split(" · ")[0] for row in await rows.all_inner_texts()] == names
    await ada.page.click("#cancel button")
    await ada.page.wait_for_selector("#search-form:not([hidden])")


async def test_who_closes_the_page_or_loses_the_line_gets_nobody_into_a_game(visit, proxy):
    ada, bob, cy = await visit("ada"), await visit("bob", line=proxy), await visit("cy")
    await ada.search("blotto")
    await ada.page.close()
    await bob.search("blotto")
    await asyncio.sleep(ANSWER_S)
    assert bob.page.url.endswith("/play/online/")
    proxy.swallow()
    await cy.search("blotto")
    await asyncio.sleep(ANSWER_S)
    assert cy.page.url.endswith("/play/online/")
    await expect(cy.page.locator("#looking-say")).to_have_text("Looking for an opponent…")
    await expect(cy.page.locator("#looking-count")).to_have_text(ALONE)
    dee = await visit("dee")
    await dee.search("blotto")
    assert await dee.wait_for_game() == await cy.wait_for_game()


async def test_a_search_goes_on_beside_a_game_against_the_computer(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.search("amazons-8x8")
    offer = ada.page.locator("text=Play the computer while you wait")
    await expect(offer).to_be_hidden()
    await offer.click(timeout=OFFER_TIMEOUT_MS)
    computer_game = await ada.wait_for_game()
    sheet = ada.page.locator("#asks .ask-sheet")
    await expect(sheet).to_contain_text("Looking for an opponent", timeout=TIMEOUT_MS)
    await bob.search("amazons-8x8")
    await expect(sheet).to_contain_text("is here: Amazons 8×8, 3 + 2. Play now?")
    assert bob.page.url.endswith("/play/online/")
    await sheet.locator("button:has-text('Play')").click()
    await ada.page.wait_for_url(lambda url: "/g/" in url and computer_game not in url)
    assert await ada.wait_for_game() == await bob.wait_for_game()


async def test_the_same_search_in_two_tabs_opens_one_game(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.search("pincer")
    second = await ada.page.context.new_page()
    await second.goto(f"{ada.home}play/online/")
    await expect(second.locator("#looking")).to_be_visible()
    await bob.search("pincer")
    slug = await bob.wait_for_game()
    tabs = [ada.page, second]
    for _ in range(50):
        inside = [tab for tab in tabs if slug in tab.url]
        if inside:
            break
        await asyncio.sleep(0.1)
    (other,) = [tab for tab in tabs if tab not in inside]
    await expect(other.locator("#looking-say")).to_have_text("Your game has opened in another tab.")
    await expect(other.locator("#elsewhere a")).to_have_attribute("href", f"/g/{slug}/")


async def test_a_search_survives_a_reload_and_is_cancelled(visit):
    ada = await visit("ada")
    await ada.search("pincer")
    await ada.page.reload()
    await expect(ada.page.locator("#looking")).to_be_visible()
    await ada.page.click("text=Cancel")
    await expect(ada.page.locator("#find")).to_be_visible()
    for pace in (0, 1):
        await ada.page.click(f"label[for=pace-{pace}]")
    await expect(ada.page.locator("#find")).to_be_disabled()


async def test_each_game_that_is_searched_for_is_named_once(visit):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}play/online/")
    await ada.page.click("#find")
    choices = ada.page.locator("#looking-choices li")
    await expect(ada.page.locator("#looking-count")).to_have_text(ALONE)
    await expect(choices).to_have_count(5)
    await expect(choices.last).to_have_text("Pincer · 3 + 2, 5 + 3")


async def test_a_host_who_waits_in_a_public_lobby_is_found_by_a_search(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await lobby_of(ada, "pincer", "fischer:180:2")
    await ada.page.goto(f"{ada.home}{lobby}")
    await bob.search("pincer")
    slug = await bob.wait_for_game()
    assert await ada.wait_for_game() == slug
    await ada.page.goto(f"{ada.home}{lobby}")
    assert slug in ada.page.url  # the game is that of the lobby


async def test_who_joins_on_the_page_of_a_public_lobby_plays_at_once(visit):
    ada, bob = await visit("ada"), await visit("bob", width=360, height=740)
    lobby = await lobby_of(ada, "pincer", "fischer:180:2")
    await ada.page.goto(f"{ada.home}{lobby}")
    await bob.page.goto(f"{bob.home}{lobby}")
    await bob.page.fill("#name", "Robin")
    await bob.page.click("#invitation-form button")
    assert await bob.wait_for_game() == await ada.wait_for_game()
    await expect(bob.page.locator("#seats, .players, main").first).to_contain_text("Robin")


async def test_who_joins_a_waiting_host_from_the_list_plays_at_once(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await lobby_of(ada, "pincer", "fischer:180:2")
    await ada.page.goto(f"{ada.home}{lobby}")
    await bob.join_from_home(lobby.strip("/").rsplit("/", 1)[1])
    assert await bob.wait_for_game() == await ada.wait_for_game()


async def test_who_plays_the_computer_is_asked_before_joining_a_waiting_host(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await bob.search("pincer")
    await bob.page.evaluate("document.querySelector('.meanwhile form').requestSubmit()")
    computer_game = await bob.wait_for_game()
    await ada.page.goto(f"{ada.home}{await lobby_of(ada, 'pincer', 'fischer:180:2')}")
    await bob.page.locator("#asks .ask-sheet button:has-text('Play')").click(timeout=TIMEOUT_MS)
    slug = await ada.wait_for_game()
    await bob.page.wait_for_url(f"**/g/{slug}/")
    assert slug != computer_game
