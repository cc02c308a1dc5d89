"""Chat in the browser: two players and a spectator, and news for those who look elsewhere."""

import re
import time

from playwright.async_api import expect

from tests.browser.visitors import chat_panel
from tests.browser.visitors.chat_panel import TIMEOUT_MS, at_a_board, signs_up

sql = chat_panel.sql
talker = chat_panel.talker


async def test_players_and_spectators_talk_apart_until_the_end(talker, sql):
    ada, bob, slug = await at_a_board(talker, width=360, height=740, touch=True)
    cy = await talker("cy", width=768, height=1024)
    await signs_up(ada, sql)
    await cy.watch_from_home(slug)
    for person in (ada, bob, cy):
        await person.open_panel()
    await ada.write("<b>look</b> at http://example.org/ ")
    await bob.phrase("Good luck")
    await ada.reads("<b>look</b> at http://example.org/", "Good luck")
    await bob.reads("<b>look</b> at http://example.org/", "Good luck")
    assert await bob.page.locator(".chat-scroll a, .chat-scroll b").count() == 0
    await ada.note("Only the players can read this until the game ends.")
    await cy.reads()
    await cy.page.get_by_role("button", name="Chat as a guest").click()
    await cy.page.wait_for_url(re.compile(slug))
    await cy.open_panel()
    await cy.note("Only spectators can read this until the game ends.")
    await cy.phrase("Good move")
    await cy.reads("Good move")
    await ada.reads("<b>look</b> at http://example.org/", "Good luck")
    over = "UPDATE play_game SET ended = ?, winner = 'white', reason = 'resigned', rev = rev + 1,"
    goals = ' goals = \'{"white":100,"black":0}\' WHERE slug = ?'
    sql(over + goals, time.time_ns() // 1_000_000, slug)
    for person in (ada, bob, cy):
        await person.reads("<b>look</b> at http://example.org/", "Good luck", "Good move")
    await expect(ada.page.locator(".chat-tag")).to_have_text("spectator")


async def test_news_is_counted_for_who_looks_elsewhere(talker):
    ada, bob, _ = await at_a_board(talker)
    await bob.open_panel()
    await ada.page.evaluate(
        "window.news = [];"
        " addEventListener('chat-unread', ({ detail }) => news.push(detail.unread))"
    )
    await ada.page.locator(".chat").evaluate(
        "chat => { chat.parentElement.style.display = 'none' }"
    )
    for words in ("Hello", "Good luck"):
        await bob.phrase(words)
    await ada.page.wait_for_function("() => news.at(-1) === 2", timeout=TIMEOUT_MS)
    await ada.page.locator(".chat").evaluate(
        "chat => { chat.parentElement.style.display = 'block' }"
    )
    await ada.page.wait_for_function("() => news.at(-1) === 0", timeout=TIMEOUT_MS)
