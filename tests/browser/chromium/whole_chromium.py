"""A whole Chromium, which installs pages and takes pushes, unlike its headless shell."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext, CDPSession, Page, async_playwright

from tests.browser.chromium.chromium_program import BROWSERS, FLAGS
from tests.support.waiting import wait_until

WHOLE = next(filter(None, map(shutil.which, BROWSERS[1:])), None)
needs_whole_chromium = pytest.mark.skipif(
    WHOLE is None, reason="needs a whole Chromium (apt install chromium)"
)
# A headless Chromium has no push service: this is its subscription, with keys that are valid.
SUBSCRIBE = """(() => {
    const options = { userVisibleOnly: true, applicationServerKey: null };
    const fake = () => ({
        endpoint: "https://fcm.googleapis.com/fcm/send/" + localStorage.getItem("fake-push"),
        options,
        toJSON() { return { endpoint: this.endpoint, keys: {
            p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u" +
                "-Ts1XbjhazAkj7I99e8QcYP7DkM",
            auth: "tBHItJI5svbpez7KI4CCXg",
        } }; },
        async unsubscribe() { localStorage.removeItem("fake-push"); return true; },
    });
    PushManager.prototype.getSubscription = async () =>
        localStorage.getItem("fake-push") === null ? null : fake();
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        localStorage.setItem("fake-push", crypto.randomUUID());
        options.applicationServerKey = applicationServerKey.buffer;
        return fake();
    };
})()"""


@asynccontextmanager
async def whole_browser(folder: Path, **options: Any) -> AsyncIterator[BrowserContext]:
    """Starts a Chromium with a profile of its own, which workers and subscriptions need."""
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder, executable_path=WHOLE, args=FLAGS, **options
        )
        yield context
        await context.close()


async def grant(context: BrowserContext, origin: str) -> None:
    """Lets an origin show notifications."""
    await context.grant_permissions(["notifications"], origin=origin)


async def deliver(page: Page, text: str) -> None:
    """Has the browser hand a push to the worker of the page's site."""
    session = await page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(each["registrationId"] for each in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    await session.send("ServiceWorker.enable")
    await wait_until(lambda: found, "the browser names the page's worker")
    origin = await page.evaluate("location.origin")
    await session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": text},
    )
    await session.detach()


async def shown(page: Page) -> list[dict[str, str]]:
    """The notifications of the site that the browser shows."""
    found: list[dict[str, str]] = await page.evaluate(
        """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }))"""
    )
    return found


async def devtools(page: Page) -> CDPSession:
    """A session of the browser's own protocol."""
    return await page.context.new_cdp_session(page)
