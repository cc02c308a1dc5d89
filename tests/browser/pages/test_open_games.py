"""An open game that outlives the page: joined by another, found by its owner again."""

from playwright.async_api import expect

from tests.browser.prepared.joined_games import join_from_home, leave_open, name_of


async def test_an_open_game_is_joined_while_its_owner_is_away_and_is_then_the_owners_turn(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await leave_open(ada, "pincer")
    name = await name_of(ada)
    await expect(ada.page.locator(".offer")).to_contain_text("1 open · 0 in play")
    await ada.page.goto("about:blank")
    await join_from_home(bob, name)
    await expect(bob.page.locator("#game")).to_contain_text(name)
    await ada.go_home()
    await expect(ada.page.locator("#turn")).to_have_attribute("aria-label", "Your turn (1)")
    await ada.page.goto(f"{ada.home}open-games/")
    await expect(ada.page.locator(".offer")).to_contain_text("0 open · 1 in play")
    await ada.page.click("#turn")
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    await expect(ada.page.locator("#game")).to_contain_text("first move: 2 d 23 h")
