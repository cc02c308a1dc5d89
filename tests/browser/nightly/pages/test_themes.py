"""The two themes: the same palette on pages and canvases, set by system or reader."""

import pytest

PAGE = {"light": "rgb(244, 238, 226)", "dark": "rgb(17, 25, 38)"}  # --paper
SQUARES = {"light": "240,231,214,255", "dark": "60,74,98,255"}  # --square-a
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"
PAINTED = """() => {
    const canvas = document.querySelector("#board canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Set();
    for (let at = 0; at < pixels.length; at += 4) colours.add(pixels.slice(at, at + 4).join());
    return [...colours];
}"""


def other(theme: str) -> str:
    return "light" if theme == "dark" else "dark"


async def shown(page, theme: str) -> bool:
    """Whether page and board come to have the colours of one theme, and none of the other one."""
    for _ in range(50):  # the board is painted with one of the next frames
        await page.wait_for_timeout(100)
        painted = await page.evaluate(PAINTED)
        is_painted = SQUARES[theme] in painted and SQUARES[other(theme)] not in painted
        if is_painted and await page.evaluate(BACKGROUND) == PAGE[theme]:
            return True
    return False


@pytest.mark.parametrize("system", ["light", "dark"])
async def test_a_page_follows_the_system_until_its_reader_chooses(visit, system) -> None:
    ada = await visit("ada")
    page = ada.page
    await page.emulate_media(color_scheme=system, reduced_motion="reduce")
    await page.goto(ada.home + "learn/amazons/")
    assert await shown(page, system)
    await page.click(f"label[for=footer-theme-{other(system)}]")
    assert await shown(page, other(system))
    await page.emulate_media(color_scheme=other(system), reduced_motion="reduce")
    await page.emulate_media(color_scheme=system, reduced_motion="reduce")
    assert await shown(page, other(system))
    await page.click(f"label[for=footer-theme-{system}]")
    assert await shown(page, system)
    await page.click("label[for=footer-theme-system]")
    await page.emulate_media(color_scheme=other(system), reduced_motion="reduce")
    assert await shown(page, other(system))


async def test_forced_colours_leave_the_board_its_own(visit) -> None:
    ada = await visit("ada")
    await ada.page.emulate_media(forced_colors="active", color_scheme="light")
    await ada.page.goto(ada.home + "learn/amazons/")
    await ada.page.wait_for_timeout(100)
    assert SQUARES["light"] in await ada.page.evaluate(PAINTED)
