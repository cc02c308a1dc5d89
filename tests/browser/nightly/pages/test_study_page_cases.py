"""Studies in a browser: kept from a board, saved, shared live, and edited in two tabs."""

import asyncio

from playwright.async_api import expect

from tests.browser.nightly.pages.test_explorer_panel import run_beside
from tests.browser.prepared.analysis_boards import SAVED, play_typed, sign_up, start_study
from tests.browser.probes.axe_objections import objections

HIDE = """
from studies import study_service
from analysis.studies.models import Study

study_service.hide(Study.objects.get(slug="{slug}"), {is_hidden})
print("done")
"""


async def test_what_could_not_be_saved_is_saved_when_the_network_is_back(visit) -> None:
    ada = await visit("ada")
    await sign_up(ada, "study-offline")
    await start_study(ada)
    await ada.page.context.set_offline(True)
    await ada.page.fill("#study-title", "Written on a train")
    state = ada.page.locator("#save-state")
    await expect(state).to_have_text("Not saved. Not connected.", timeout=15_000)
    await ada.page.context.set_offline(False)
    await expect(state).to_have_text(SAVED)
    ada.errors.clear()  # the browser notes each request that failed


async def test_two_tabs_do_not_overwrite_each_other(visit) -> None:
    ada = await visit("ada")
    await sign_up(ada, "study-tabs")
    address = await start_study(ada)
    one, two = ada.page, await ada.page.context.new_page()
    await two.goto(address)
    await expect(two.locator("#save-state")).to_have_text(SAVED)
    await one.fill("#study-title", "From one")  # the other tab has nothing to save, and follows
    await expect(two.locator("#study-name")).to_have_text("From one", timeout=15_000)
    await two.route("**/save", lambda route: route.abort())
    await two.fill("#study-title", "From two")
    await expect(two.locator("#save-state")).to_contain_text("Not saved.", timeout=15_000)
    await one.evaluate(
        """async url => fetch(url, {method: "POST", body: JSON.stringify({rev: 2, title: "Other"}),
            headers: {"Content-Type": "application/json", "X-CSRFToken":
                document.querySelector("[name=csrfmiddlewaretoken]").value}})""",
        f"{address}save",
    )
    await two.unroute("**/save")
    await two.evaluate("dispatchEvent(new Event('online'))")  # the save is repeated
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
