"""Steps through the page of a rule set: to its board, to a square and to the verdict."""


async def open_course(visit, key, **kind):
    """Somebody opens the page of a rule set."""
    person = await visit("ada", **kind)
    await person.page.goto(f"{person.home}learn/{key}/")
    await person.page.wait_for_selector("#lessons [aria-current=step]")
    return person


async def verdict(page, kind):
    await page.wait_for_selector(f"#verdict[data-verdict={kind}]", timeout=5_000)
    return await page.inner_text("#verdict")
