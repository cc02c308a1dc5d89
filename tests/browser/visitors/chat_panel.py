"""People at the chat panel, and changes of the database that no page can make."""

import contextlib
import sqlite3

import pytest
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import Visitor, begin_game

TIMEOUT_MS = 8_000  # ms
OLD = "2020-01-01 00:00:00"


class ChatMember(Visitor):
    """Somebody at the chat panel."""

    async def open_panel(self) -> None:
        """Brings the panel into view if it is behind a tab."""
        tab = self.page.locator('.tab[data-tab="chat"]')
        if await tab.count():
            await tab.click()
        await expect(self.page.locator(".chat-scroll")).to_be_visible(timeout=TIMEOUT_MS)
        await expect(self.page.locator(".chat-note, .chat-intro").first).not_to_be_empty()

    async def write(self, text: str) -> None:
        await self.page.fill(".chat-form input", text)
        await self.page.press(".chat-form input", "Enter")

    async def phrase(self, words: str) -> None:
        await (
            self.page.get_by_role("group", name="Quick chat").get_by_text(words, exact=True).click()
        )

    async def reads(self, *words: str) -> None:
        """Waits until the panel has these lines and no others."""
        texts = self.page.locator(".chat-text")
        await expect(texts).to_have_text([*words], timeout=TIMEOUT_MS)

    async def about(self, words: str) -> None:
        """Opens the menu of a line."""
        await self.page.locator(".chat-scroll li", has_text=words).locator(".chat-menu").click()

    async def chooses(self, label: str) -> None:
        await self.page.locator(".chat-chip", has_text=label).click()

    async def note(self, words: str) -> None:
        await expect(self.page.locator(".chat-note")).to_contain_text(words, timeout=TIMEOUT_MS)


@pytest.fixture
def talker(visit):
    async def arrive(name: str, **about) -> ChatMember:
        visitor = await visit(name, **about)
        return ChatMember(visitor.name, visitor.page, visitor.home, visitor.errors)

    return arrive


@pytest.fixture
def sql(site):
    """Changes the site's database as nobody can from a page."""

    def execute(statement: str, *values: object) -> None:
        with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database:
            database.execute(statement, values)
            database.commit()

    return execute


async def at_a_board(talker, **second) -> tuple[ChatMember, ChatMember, str]:
    ada, bob = await talker("ada"), await talker("bob", **second)
    return ada, bob, await begin_game(ada, bob, "pincer")


async def name_of(person: ChatMember) -> str:
    return await person.page.locator(".strip.near .name").inner_text()


async def signs_up(person: ChatMember, sql) -> None:
    """Makes a guest who sits at a board somebody with an old account."""
    name = await name_of(person)
    sql("UPDATE accounts_user SET is_guest = 0, date_joined = ? WHERE username = ?", OLD, name)
    await person.page.reload()
