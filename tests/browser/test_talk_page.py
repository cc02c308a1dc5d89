"""Talk as people see it: two at a board, one who watches, with accounts and without."""

import contextlib
import re
import sqlite3
import time

import pytest
from playwright.async_api import expect
from visitors import Visitor

WAIT = 8_000  # ms
OLD = "2020-01-01 00:00:00"
FITS = """([width, height]) => {
    const talk = document.querySelector(".talk");
    talk.parentElement.style.cssText =
        `position: fixed; left: 0; top: 60px; width: ${width}px; height: ${height}px`;
    return new Promise(resolve => setTimeout(() => {
        const box = talk.getBoundingClientRect();
        const inside = [...talk.querySelectorAll("input, button, .talk-scroll")]
            .filter(part => part.offsetParent && !part.closest(".talk-scroll, .talk-chips"));
        const chips = talk.querySelector(".talk-chips");
        const parts = [...inside, ...(chips.hidden ? [] : [chips])];
        resolve(parts.map(part => part.getBoundingClientRect())
            .every(part => part.left >= box.left - 1 && part.right <= box.right + 1
                && part.top >= box.top - 1 && part.bottom <= box.bottom + 1));
    }, 200));
}"""
SMALL = """() => [...document.querySelectorAll(".talk button, .talk input")]
    .filter(part => part.offsetParent)
    .map(part => [part.className, part.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)"""


class Talker(Visitor):
    """Somebody at the talk panel."""

    async def open_panel(self) -> None:
        """Brings the panel into view if it is behind a tab."""
        tab = self.page.locator('.tab[data-tab="talk"]')
        if await tab.count():
            await tab.click()
        await expect(self.page.locator(".talk-scroll")).to_be_visible(timeout=WAIT)
        await expect(self.page.locator(".talk-note, .talk-intro").first).not_to_be_empty()

    async def write(self, text: str) -> None:
        await self.page.fill(".talk-form input", text)
        await self.page.press(".talk-form input", "Enter")

    async def phrase(self, words: str) -> None:
        await self.page.get_by_role("group", name="Phrases").get_by_text(words, exact=True).click()

    async def reads(self, *words: str) -> None:
        """Waits until the panel has these lines and no others."""
        texts = self.page.locator(".talk-text")
        await expect(texts).to_have_text([*words], timeout=WAIT)

    async def about(self, words: str) -> None:
        """Opens the menu of a line."""
        await self.page.locator(".talk-scroll li", has_text=words).locator(".talk-menu").click()

    async def chooses(self, label: str) -> None:
        await self.page.locator(".talk-chip", has_text=label).click()

    async def note(self, words: str) -> None:
        await expect(self.page.locator(".talk-note")).to_contain_text(words, timeout=WAIT)


@pytest.fixture
def talker(visit):
    async def arrive(name: str, **about) -> Talker:
        visitor = await visit(name, **about)
        return Talker(visitor.name, visitor.page, visitor.home, visitor.errors)

    return arrive


@pytest.fixture
def sql(site):
    """Changes the site's database as nobody can from a page."""

    def execute(statement: str, *values: object) -> None:
        with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database:
            database.execute(statement, values)
            database.commit()

    return execute


async def at_a_board(talker, **second) -> tuple[Talker, Talker, str]:
    ada, bob = await talker("ada"), await talker("bob", **second)
    await bob.join_from_home(await ada.open_lobby("pincer"))
    slug = await ada.wait_for_game()
    await bob.wait_for_game()
    return ada, bob, slug


async def name_of(person: Talker) -> str:
    return await person.page.locator(".strip.near .name").inner_text()


async def signs_up(person: Talker, sql) -> None:
    """Makes a guest who sits at a board somebody with an old account."""
    name = await name_of(person)
    sql("UPDATE accounts_user SET is_guest = 0, date_joined = ? WHERE username = ?", OLD, name)
    await person.page.reload()


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
    assert await bob.page.locator(".talk-scroll a, .talk-scroll b").count() == 0
    await ada.note("Only players see this until the game is over.")
    await cy.reads()
    await cy.page.get_by_role("button", name="Talk as a guest").click()
    await cy.page.wait_for_url(re.compile(slug))
    await cy.open_panel()
    await cy.note("Only spectators see this until the game is over.")
    await cy.phrase("Good move")
    await cy.reads("Good move")
    await ada.reads("<b>look</b> at http://example.org/", "Good luck")
    over = "UPDATE play_game SET ended = ?, winner = 'white', reason = 'resigned', rev = rev + 1,"
    goals = ' goals = \'{"white":100,"black":0}\' WHERE slug = ?'
    sql(over + goals, time.time_ns() // 1_000_000, slug)
    for person in (ada, bob, cy):
        await person.reads("<b>look</b> at http://example.org/", "Good luck", "Good move")
    await expect(ada.page.locator(".talk-tag")).to_have_text("spectator")


async def test_mute_and_report_by_keyboard_alone(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    await bob.write("you are a fool")
    await ada.reads("you are a fool")
    press, menu = ada.page.keyboard.press, ada.page.locator(".talk-menu")
    await ada.page.focus(".talk-scroll")
    await press("Tab")
    await expect(menu).to_be_focused()
    await press("Enter")
    await expect(ada.page.get_by_role("button", name="Mute ")).to_be_focused()
    await press("Escape")
    await expect(menu).to_be_focused()
    await press("Enter")
    await press("Tab")
    await press("Enter")
    await expect(ada.page.get_by_role("button", name="Insulting")).to_be_focused()
    await press("Enter")
    await ada.note("Thank you. A moderator will look.")
    await expect(menu).to_be_focused()
    await press("Enter")
    await press("Enter")
    await ada.reads()
    await expect(ada.page.locator(".talk-scroll")).to_be_focused()
    await bob.reads("you are a fool")
    await ada.page.reload()
    await ada.open_panel()
    await ada.reads()
    await ada.page.click(".talk-own")
    await ada.chooses("Unmute")
    await ada.reads("you are a fool")
    sql("UPDATE talk_report SET state = 'acted'")
    sql("UPDATE talk_talker SET rev = rev + 1")
    await ada.page.click(".talk-own")
    await expect(ada.page.locator(".talk-word")).to_have_text("Your report: acted on.")


async def test_an_open_menu_keeps_the_focus_while_other_things_change(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    await bob.write("you are a fool")
    await ada.reads("you are a fool")
    press, own = ada.page.keyboard.press, ada.page.locator(".talk-own")
    await ada.page.focus(".talk-menu")
    for key in ("Enter", "Tab", "Enter", "Enter"):
        await press(key)
    await expect(own).to_be_visible()
    await press("Enter")
    mute = ada.page.get_by_role("button", name="Mute ")
    await expect(mute).to_be_focused()
    sql("DELETE FROM talk_report")
    sql("UPDATE talk_talker SET rev = rev + 1")
    await expect(own).to_be_hidden()
    await expect(mute).to_be_focused()


async def test_a_reader_who_scrolled_up_stays_there(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    filler = [f"{number} " + "word " * 30 for number in range(4)]
    for line in filler:
        await bob.write(line)
        await expect(bob.page.locator(".talk-form input")).to_have_value("")
    await expect(ada.page.locator(".talk-text")).to_have_count(4, timeout=WAIT)
    place = "document.querySelector('.talk-scroll').scrollTop"
    assert await ada.page.evaluate(place) > 0
    await ada.page.evaluate(f"{place} = 0")
    sql("UPDATE talk_talker SET rested = 0")
    for line in ("one", "two", "three"):
        await bob.write(line)
        await expect(bob.page.locator(".talk-form input")).to_have_value("")
    fresh = ada.page.locator(".talk-fresh")
    await expect(fresh).to_have_text("3 new", timeout=WAIT)
    assert await ada.page.evaluate(place) == 0
    await fresh.click()
    await expect(fresh).to_be_hidden()
    await expect(ada.page.locator(".talk-text").last).to_be_in_viewport()


async def test_news_is_counted_for_who_looks_elsewhere(talker):
    ada, bob, _ = await at_a_board(talker)
    await bob.open_panel()
    await ada.page.evaluate(
        "window.news = []; addEventListener('talk-news', ({ detail }) => news.push(detail.unread))"
    )
    await ada.page.locator(".talk").evaluate(
        "talk => { talk.parentElement.style.display = 'none' }"
    )
    for words in ("Hello", "Good luck"):
        await bob.phrase(words)
    await ada.page.wait_for_function("() => news.at(-1) === 2", timeout=WAIT)
    await ada.page.locator(".talk").evaluate(
        "talk => { talk.parentElement.style.display = 'block' }"
    )
    await ada.page.wait_for_function("() => news.at(-1) === 0", timeout=WAIT)


async def test_what_was_written_while_the_line_was_cut_is_said_once(talker, sql, line):
    ada, bob, _ = await at_a_board(talker, line=line)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    line.cut()
    await bob.note("Not connected.")
    await bob.write("are you there")
    await expect(bob.page.locator(".talk-form input")).to_have_value("are you there")
    line.mend()
    await ada.reads("are you there")
    await bob.reads("are you there")
    await expect(bob.page.locator(".talk-form input")).to_have_value("", timeout=WAIT)


async def test_refusals_are_said_and_the_text_stays(talker, sql):
    ada, _, _ = await at_a_board(talker)
    await signs_up(ada, sql)
    await ada.open_panel()
    field, left = ada.page.locator(".talk-form input"), ada.page.locator(".talk-left")
    await expect(left).to_be_empty()
    await ada.page.fill(".talk-form input", "x" * 190)
    await expect(left).to_have_text("10 left")
    await ada.write("x" * 201)
    await ada.note("longer than 200")
    await expect(left).to_have_text("1 too many")
    for _ in range(2):
        await ada.write("hurry")
        await expect(field).to_have_value("", timeout=WAIT)
    await ada.write("hurry")
    await ada.note("You have said that twice already.")
    await expect(field).to_have_value("hurry")


async def test_the_panel_fits_and_can_be_hit_with_a_finger(talker, sql):
    ada, bob, _ = await at_a_board(talker, width=360, height=740, touch=True)
    await signs_up(ada, sql)
    for person in (ada, bob):
        await person.open_panel()
    await ada.write("hello")
    await bob.reads("hello")
    assert await bob.page.evaluate(SMALL) == []
    await bob.about("hello")
    assert await bob.page.evaluate(SMALL) == []
    await bob.chooses("Close")
    for person in (ada, bob):
        for size in ((250, 100), (328, 100), (344, 200), (400, 400)):
            assert await person.page.evaluate(FITS, size), size


async def test_a_device_that_wants_no_talk_has_none(talker):
    ada = await talker("ada")
    await ada.open_lobby("pincer")
    sockets = []
    ada.page.on("websocket", lambda socket: sockets.append(socket.url))
    await ada.page.reload()
    await ada.open_panel()
    assert any("/ws/talk/" in url for url in sockets)
    await ada.page.evaluate("localStorage.setItem('quiver-settings', '{\"talk\":\"off\"}')")
    sockets.clear()
    await ada.page.reload()
    await ada.page.wait_for_timeout(1_000)
    await expect(ada.page.locator(".talk")).to_be_hidden()
    assert not any("/ws/talk/" in url for url in sockets)
