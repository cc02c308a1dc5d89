"""A public study in a frame of another site: its moves and comments can be read, not changed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import SAVED, sign_up, start_study
from tests.browser.probes.axe_objections import objections


@asynccontextmanager
async def other_site(address: str) -> AsyncIterator[str]:
    """The address of a page on another site, which has an address of ours in a frame.

    It is a real one on 127.0.0.1: no public page may frame a site on localhost.
    """
    body = f'<!doctype html><iframe src="{address}" width="380" height="700"></iframe>'
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"{head}Connection: close\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def test_another_site_shows_a_study_to_its_readers(visit) -> None:
    ada, cy = await visit("ada"), await visit("cy", width=400, height=760)
    await sign_up(ada, "study-framed")
    address = await start_study(ada)
    page, state = ada.page, ada.page.locator("#save-state")
    await page.click("#moves button")
    await page.fill("#comment", "<b>Wide</b>")
    await page.fill("#study-title", "The corner")
    await expect(page.locator("#study-embed")).to_be_hidden()
    await page.select_option("#study-visibility", "public")
    await expect(state).to_have_text(SAVED, timeout=10_000)
    await page.click("#study-embed summary")
    slug = address.rstrip("/").rpartition("/")[2]
    code = await page.inner_text("#embed-code")
    assert f'/studies/{slug}/embed/"' in code
    assert 'title="The corner"' in code

    async with other_site(f"{ada.home}studies/{slug}/embed/") as outer:
        await cy.page.goto(outer)
    shown = cy.page.frame_locator("iframe")
    await expect(shown.locator("h1")).to_have_text("The corner")
    await expect(shown.locator("#moves button")).to_have_count(1)
    await expect(shown.locator("#moves")).to_contain_text("<b>Wide</b>")
    await expect(shown.locator("#sentence")).to_have_text("Triangles to move.")
    await shown.locator("#look-forward").click()
    await expect(shown.locator("#sentence")).to_contain_text("After a5-b5 a7-b7")
    await expect(shown.locator("#place")).to_have_text("1 of 1")
    await shown.locator("#look-forward").press("ArrowLeft")
    await expect(shown.locator("#sentence")).to_have_text("Triangles to move.")
    await shown.locator("#moves button").click()
    await expect(shown.locator("[aria-current]")).to_have_count(1)
    square = shown.locator('[data-square="g5"]')
    await square.press("Enter")  # nobody plays here
    await expect(shown.locator("#moves button")).to_have_count(1)
    inner = cy.page.frames[1]
    assert await inner.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await cy.page.context.cookies(ada.home) == []

    await page.select_option("#study-visibility", "link")
    await expect(page.locator("#study-embed")).to_be_hidden()
    await expect(state).to_have_text(SAVED, timeout=10_000)
    assert (await cy.page.request.get(f"{ada.home}studies/{slug}/embed/")).status == 404


async def test_the_page_by_itself_is_accessible_and_the_study_itself_is_not_framed(visit) -> None:
    ada, cy = await visit("ada"), await visit("cy")
    await sign_up(ada, "study-alone")
    address = await start_study(ada)
    await ada.page.select_option("#study-visibility", "public")
    await expect(ada.page.locator("#save-state")).to_have_text(SAVED, timeout=10_000)
    slug = address.rstrip("/").rpartition("/")[2]
    await cy.page.goto(f"{ada.home}studies/{slug}/embed/")
    await cy.page.click("#look-last")
    await expect(cy.page.locator("#sentence")).to_contain_text("After a5-b5 a7-b7")
    found = await objections(cy, "embed")
    assert not found, "\n".join(found)
    async with other_site(address) as outer:
        await cy.page.goto(outer)
        await expect(cy.page.locator("iframe")).to_have_count(1)
    assert await cy.page.frame_locator("iframe").locator("#study-name").count() == 0
    assert any("frame-ancestors" in error for error in cy.errors)
    cy.errors.clear()  # the browser says why it does not show the frame
