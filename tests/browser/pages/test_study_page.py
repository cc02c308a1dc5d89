"""Studies in a browser: kept from a board, saved, shared live, and edited in two tabs."""

import asyncio
import re

from playwright.async_api import expect

from tests.browser.browser_visitors import post
from tests.browser.pages.test_analysis_page import play_typed
from tests.browser.pages.test_axe import PASSWORD, objections
from tests.browser.pages.test_explorer_panel import run_beside

SAVED = re.compile("^Saved$")
HIDE = """
from studies import study_service
from studies.models import Study

study_service.hide(Study.objects.get(slug="{slug}"), {is_hidden})
print("done")
"""


async def sign_up(person, name: str) -> None:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    await post(person, "sign-up/", "sign-up/", **form)


async def start_study(person) -> str:
    """Makes a study of one move from the analysis board; returns its address."""
    page = person.page
    await page.goto(f"{person.home}analysis/pincer/")
    await play_typed(page, "a5-b5 a7-b7")
    await page.click("#save-study")
    await page.wait_for_url("**/study/*/**")
    await expect(page.locator("#moves button")).to_have_count(1)
    await expect(page.locator("#sentence")).to_contain_text("After a5-b5")  # as on the board
    return page.url.partition("#")[0]


async def test_a_study_is_kept_shared_and_followed_live(visit) -> None:
    ada, cy = await visit("ada"), await visit("cy", width=390, height=844)
    await sign_up(ada, "study-ada")
    address = await start_study(ada)
    page, state = ada.page, ada.page.locator("#save-state")
    await page.fill("#study-title", "The corner")
    await page.select_option("#study-visibility", "link")
    await expect(state).to_have_text(SAVED, timeout=10_000)
    found = await objections(ada, "study")
    assert not found, "\n".join(found)
    await cy.page.goto(address)
    await expect(cy.page.locator("#study-name")).to_have_text("The corner")
    assert await cy.page.locator("#study-title").count() == 0
    await cy.page.click("#moves button")  # its position is played now
    await expect(cy.page.locator("#sentence")).to_contain_text("After a5-b5")
    await play_typed(cy.page, "g5-f5 g7-f7")
    await page.click("#moves button")
    await page.fill("#comment", "<b>Wide</b>")
    await expect(cy.page.locator("#moves")).to_contain_text("<b>Wide</b>", timeout=15_000)
    await expect(cy.page.locator("#moves button")).to_have_count(2)  # his own variation stays
    assert await cy.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.select_option("#study-visibility", "private")
    await expect(cy.page.locator("#study-closed")).to_be_visible(timeout=15_000)
    await expect(cy.page.locator("#analysis-root")).to_be_hidden()


async def test_two_tabs_do_not_overwrite_each_other(visit) -> None:
    ada = await visit("ada")
    await sign_up(ada, "study-tabs")
    address = await start_study(ada)
    one, two = ada.page, await ada.page.context.new_page()
    await two.goto(address)
    await expect(two.locator("#save-state")).to_have_text(SAVED)
    await one.fill("#study-title", "From one")  # the other tab has nothing to save, and follows
    await expect(two.locator("#study-name")).to_have_text("From one", timeout=15_000)
    await two.context.set_offline(True)
    await two.fill("#study-title", "From two")
    await expect(two.locator("#save-state")).to_contain_text("Not saved.", timeout=15_000)
    await two.context.set_offline(False)
    await one.evaluate(
        """async url => fetch(url, {method: "POST", body: JSON.stringify({rev: 2, title: "Other"}),
            headers: {"Content-Type": "application/json", "X-CSRFToken":
                document.querySelector("[name=csrfmiddlewaretoken]").value}})""",
        f"{address}save",
    )
    await two.click("#save-now")
    await expect(two.locator("#study-conflict")).to_be_visible(timeout=15_000)
    await expect(two.locator("#conflict-say")).to_contain_text("study-tabs changed this study")
    await two.click("#conflict-copy")
    await two.wait_for_url(lambda url: "/study/" in url and not url.startswith(address))
    await expect(two.locator("#study-name")).to_have_text("From two (copy)")
    await one.goto(address)
    await expect(one.locator("#study-name")).to_have_text("Other")
    ada.errors.clear()  # the browser complains of the lost line


async def test_a_study_that_a_moderator_hides_says_so_to_its_owner(site, visit) -> None:
    ada = await visit("ada")
    await sign_up(ada, "study-hidden")
    address = await start_study(ada)
    page = ada.page
    await page.select_option("#study-visibility", "public")
    await expect(page.locator("#save-state")).to_have_text(SAVED, timeout=10_000)
    await expect(page.locator("#study-hidden")).to_be_hidden()
    slug = address.rstrip("/").rpartition("/")[2]
    await asyncio.to_thread(run_beside, site, HIDE.format(slug=slug, is_hidden=True))
    await expect(page.locator("#study-hidden")).to_be_visible(timeout=15_000)
    await expect(page.locator("#study-title")).to_be_disabled()
    await expect(page.locator("#save-state")).to_have_text("")
    await expect(page.locator("#study-say")).to_have_text("")  # no other tab has changed it
    await page.goto(address)
    await expect(page.locator("#study-hidden")).to_be_visible()
    await page.click("#moves button")
    await expect(page.locator("#sentence")).to_contain_text("After a5-b5")
    await play_typed(page, "g5-f5 g7-f7")  # tried, and not saved
    await expect(page.locator("#moves button")).to_have_count(2)
    await expect(page.locator("#study-conflict")).to_be_hidden()
    await asyncio.to_thread(run_beside, site, HIDE.format(slug=slug, is_hidden=False))
    await expect(page.locator("#study-title")).to_be_enabled(timeout=15_000)


async def test_a_study_is_made_and_deleted_by_keyboard(visit) -> None:
    ada = await visit("ada", width=390, height=844)
    await sign_up(ada, "study-keys")
    page = ada.page
    await page.goto(f"{ada.home}studies/")
    await page.focus("#study-rules")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/study/*/**")
    await expect(page.locator("#no-moves")).to_be_visible()
    await page.get_by_role("link", name="Delete…").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/delete/")
    await page.get_by_role("button", name="Delete study").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/studies/")
    await expect(page.locator(".account-messages")).to_contain_text("was deleted")
    found = await objections(ada, "studies")
    assert not found, "\n".join(found)
