"""Invitations by a link and open games, and people who accept them."""

from tests.browser.visitors.browser_visitors import TIMEOUT_MS, Visitor

# Records all titles of the page, the shared data, and the number of tones.
RECORD = """
    window.titles = [];
    addEventListener("DOMContentLoaded", () => {
        const note = () => window.titles.push(document.title);
        note();
        new MutationObserver(note).observe(document.querySelector("title"), { childList: true });
    });
    navigator.share = async (shared) => { window.shared = shared; };
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...args) {
        window.tones += 1;
        return start.apply(this, args);
    };
"""


async def invite(host, key: str = "amazons-8x8", name: str = "") -> str:
    """Leads the host to the page with the link; returns its address."""
    await host.page.goto(f"{host.home}play/friend/?game={key}")
    if name:
        await host.page.fill("#name", name)
    await host.page.click("text=Create invitation link")
    await host.page.wait_for_url("**/l/*/")
    return host.page.url


async def leave_open(person: Visitor, key: str, clock: str = "3 days") -> None:
    """Leaves a game open by the form, in which the owner moves first."""
    page = person.page
    await page.goto(f"{person.home}open-games/?game={key}")
    await page.click(f'label:has-text("{clock}")')
    await page.click('label:has-text("First")')
    await page.click('button:has-text("Leave it open")')
    await page.wait_for_selector(".offer")


async def name_of(person: Visitor) -> str:
    return (await person.page.text_content("header .menu-name") or "").strip()


async def join_from_home(person: Visitor, host: str) -> None:
    await person.go_home()
    row = person.page.locator("[data-list=lobbies] li", has_text=host)
    await row.get_by_role("button", name="Join").click(timeout=TIMEOUT_MS)
    await person.wait_for_game()
