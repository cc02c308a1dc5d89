"""People who sign up under names that no other test has."""

import itertools

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import TIMEOUT_MS, Visitor, post

PASSWORD = "seven dull archers"
numbers = itertools.count(1)


async def sign_up(person: Visitor, name: str) -> str:
    """Signs up under a name that no other test has; that name."""
    name = f"{name}-{next(numbers)}"
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    await post(person, "sign-up/", "sign-up/", **form)
    return name


async def open_chat(person: Visitor) -> None:
    tab = person.page.locator('.tab[data-tab="chat"]')
    if await tab.count():
        await tab.click()
    await expect(person.page.locator(".chat-scroll")).to_be_visible(timeout=TIMEOUT_MS)
