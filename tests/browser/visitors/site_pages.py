"""Addresses of the site, people whose pages tell of each violation of the policy, and messages."""

from typing import Any

from tests.browser.visitors.browser_visitors import Visitor

KEYS = ["amazons-8x8", "amazons-10x10", "amazons", "blotto", "pincer"]
OPEN_PAGES = [
    "", "watch/", "learn/", *(f"learn/{key}/" for key in KEYS), "new/", "new/?game=blotto",
    "about/", "how-it-works/", "fair-play/", "privacy/", "terms/", "contact/", "source/",
    "open-games/", "help/abandoned/", "computer/", "nowhere/", "log-in/", "sign-up/",
    "password/reset/", "settings/",
    "players/", "players/?q=nobody",
    "ratings/", "ratings/blotto/live/", "ratings/combined/", "blotto-lab/", "analysis/pincer/",
    "studies/", "studies/pincer/",
]  # fmt: skip
OWN_PAGES = [
    "", "settings/", "settings/notifications/", "notifications/", "settings/export/",
    "settings/delete/", "password/", "e-mail/",
    "settings/two-factor/", "settings/two-factor/app/", "u/axe-walker/", "nowhere/",
    "players/", "players/following/", "players/blocked/", "u/axe-reader/",
    "u/axe-reader/challenge/", "ratings/", "ratings/pincer/days/", "studies/",
]  # fmt: skip
PASSWORD = "seven-loud-archers-4"
SEND_SCRIPT = """message => new Promise((done, fail) => {
    const slug = document.getElementById("game").dataset.slug;
    const socket = new WebSocket(location.origin.replace("http", "ws") + `/ws/g/${slug}/`);
    const id = Math.random().toString(36).slice(2);
    const topic = `game:${slug}`;
    socket.onopen = () => {
        socket.send(JSON.stringify({ t: "subscribe", topic }));
        socket.send(JSON.stringify({ id, topic, ...message }));
    };
    socket.onmessage = ({ data }) => {
        const { t } = JSON.parse(data);
        if (t === "receipt") { socket.close(); done(); }
        if (t === "refused") { socket.close(); fail(data); }
    };
})"""
FIRST = {
    "amazons-8x8": ["move 3 1 3 5", "fire 5 5"],
    "amazons-10x10": ["move 4 1 4 7", "fire 7 7"],
    "amazons": ["play 4 1 4 7 7 7"],
    "blotto": ["troops 5 4 1"],
    "pincer": ["move 1 5 2 5", "move 7 3 6 3"],
}
NOTE = """document.addEventListener("securitypolicyviolation", event => {
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});"""


async def watched(visit: Any, name: str) -> Visitor:
    """Somebody whose pages tell of everything that the policy forbids."""
    person: Visitor = await visit(name)
    await person.page.add_init_script(NOTE)
    return person
