"""The site as an installed app: its window, its service worker and what the worker stores."""

from playwright.async_api import Page

# The installed app's window; then pages register the worker.
STANDALONE = """(() => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = query => query === "(display-mode: standalone)"
        ? Object.assign(match("all"), {}) : match(query);
})()"""
STORED_PATHS = """async () => {
    const all = [];
    for (const name of await caches.keys())
        for (const each of await (await caches.open(name)).keys())
            all.push(new URL(each.url).pathname);
    return all;
}"""


async def worker_ready(page: Page) -> None:
    """Waits until a worker may take pushes, another one than the page has noted as its former."""
    await page.evaluate(
        """async () => {
        for (;;) {
            const { active } = await navigator.serviceWorker.ready;
            if (active !== window.former && active.state === "activated") return;
            await new Promise(done => setTimeout(done, 50));
        }
        }"""
    )


async def expect_only_offline_page_stored(page: Page) -> None:
    """Fails unless the worker has stored the offline page and its style sheet, and no more."""
    stored = await page.evaluate(STORED_PATHS)
    assert len(stored) == 2
    assert stored[0] == "/offline/"
    assert "offline" in stored[1]
