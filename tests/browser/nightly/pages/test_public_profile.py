"""Bio, country and avatar: from the settings to the profile, as others see it."""

import pytest

NAMES = iter(f"profile-{number}" for number in range(100))
SIGN_UP = {"username": "", "password1": "arrows 4 everybody", "password2": "arrows 4 everybody"}


async def sign_up(page, home: str) -> str:
    """Sign up in a browser; return the name."""
    name = next(NAMES)
    await page.goto(f"{home}sign-up/")
    for field, value in (SIGN_UP | {"username": name}).items():
        await page.fill(f"[name={field}]", value)
    await page.locator("main form button.primary").click()
    await page.locator(".menu-name").first.wait_for(state="attached")
    return name


async def test_a_bio_and_a_country_are_written_and_read(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    name = await sign_up(ada.page, ada.home)
    await ada.page.goto(f"{ada.home}settings/")
    await ada.page.get_by_role("link", name="Bio and country").click()
    await ada.page.get_by_label("About you").fill("Long diagonals.\nAnd <b>tea</b>.")
    await ada.page.get_by_label("Country").select_option("Türkiye")
    await ada.page.get_by_role("button", name="Save").click()
    await ada.page.wait_for_url(f"**/u/{name}/")
    await bob.page.goto(f"{bob.home}u/{name}/")
    bio = bob.page.locator(".profile-bio")
    assert await bio.inner_text() == "Long diagonals.\nAnd <b>tea</b>."
    assert await bio.locator("a, b").count() == 0
    assert "Türkiye" in await bob.page.locator(".lead").inner_text()
    assert await bob.page.get_by_role("link", name="Change bio and country").count() == 0
    drawn = await bob.page.locator(".profile-top .avatar").inner_html()
    assert await ada.page.locator("header .avatar").first.inner_html() == drawn


async def test_a_text_that_is_too_long_is_said_beside_its_field(visit) -> None:
    ada = await visit("ada")
    await sign_up(ada.page, ada.home)
    await ada.page.goto(f"{ada.home}settings/profile/")
    field = ada.page.get_by_label("About you")
    await field.evaluate(
        "field => { field.removeAttribute('maxlength'); field.value = 'x'.repeat(301); }"
    )
    await ada.page.get_by_role("button", name="Save").click()
    await ada.page.get_by_text("Use at most 300 characters.").wait_for()
    assert await field.evaluate("field => field === document.activeElement")
    assert await field.input_value() == "x" * 301
    ada.errors.clear()  # the answer's status is 400


@pytest.mark.parametrize("width", [390, 1280])
async def test_the_pages_fit_their_windows(visit, width: int) -> None:
    ada = await visit("ada")
    await ada.page.set_viewport_size({"width": width, "height": 844})
    name = await sign_up(ada.page, ada.home)
    for path in (f"u/{name}/", "settings/profile/", "players/"):
        await ada.page.goto(f"{ada.home}{path}")
        wide = "document.documentElement.scrollWidth - innerWidth"
        assert await ada.page.evaluate(wide) <= 0, path
