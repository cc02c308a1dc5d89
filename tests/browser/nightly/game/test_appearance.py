"""Boards, pieces, motion, zen mode: settings that work at once, stay, and reach other tabs."""

import pytest
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.pointer_actions import click, prefer, sit_down, step_is

# square-a of each board, in the light theme, as the canvas has it
SQUARES = {
    "paper": "240,231,214,255",
    "slate": "230,235,240,255",
    "meadow": "235,241,220,255",
    "contrast": "255,255,255,255",
}
PAINTED = """colour => {
    const canvas = document.querySelector("#board canvas") ?? document.querySelector("main canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let found = 0;
    for (let at = 0; at < pixels.length; at += 4)
        found += pixels.slice(at, at + 4).join() === colour ? 1 : 0;
    return found > pixels.length / 4 / 20;
}"""
PICTURE = "canvas => canvas.toDataURL()"
HIDDEN_IN_ZEN = (".header", "#log", "#acts", "#replay", ".tabs", "#balance", ".whose", ".hint-line")


async def paints(page, ground: str) -> None:
    """Waits until the board has the colours of this choice."""
    await page.wait_for_function(PAINTED, arg=SQUARES[ground])


async def picture(page) -> str:
    return await page.locator("#board canvas").evaluate(PICTURE)


async def test_a_board_is_chosen_at_once_stays_and_reaches_other_tabs(visit) -> None:
    ada, _ = await sit_down(visit, "amazons-8x8")
    await paints(ada.page, "paper")
    other = await ada.page.context.new_page()
    await other.goto(ada.page.url)
    await paints(other, "paper")
    for ground in ("slate", "meadow", "contrast"):
        await prefer(ada, "ground", ground)
        await paints(ada.page, ground)
        await paints(other, ground)
    await ada.page.reload()
    await paints(ada.page, "contrast")
    await prefer(ada, "ground", "paper")
    await paints(ada.page, "paper")
    await paints(other, "paper")


async def test_boards_of_lists_and_lessons_follow_the_choice(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}settings/")
    await ada.page.click("label[for=ground-meadow]")
    for address in ("learn/amazons/", ""):
        await ada.page.goto(f"{ada.home}{address}")
        await paints(ada.page, "meadow")


async def test_who_keeps_paper_and_bows_loads_neither_boards_nor_figures(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    await begin_game(ada, bob, "amazons-8x8")
    await ada.page.wait_for_load_state("networkidle")
    assert asked
    assert not [url for url in asked if "choices" in url or "figure-sets" in url]
    assert await ada.page.evaluate("document.querySelector('link[href*=choices]')") is None


async def test_figures_are_chosen_at_once_and_stay(visit) -> None:
    ada, _ = await sit_down(visit, "amazons-8x8")
    page = ada.page
    pictures = {"bows": await picture(page)}
    for figures in ("crowns", "discs"):
        await prefer(ada, "figures", figures)
        await page.wait_for_function(
            "before => document.querySelector('#board canvas').toDataURL() !== before",
            arg=list(pictures.values())[-1],
        )
        pictures[figures] = await picture(page)
    assert len(set(pictures.values())) == 3
    await page.reload()
    await page.wait_for_function(
        "before => document.querySelector('#board canvas').toDataURL() === before",
        arg=pictures["discs"],
    )


@pytest.mark.parametrize(
    ("system", "setting", "moves"),
    [("reduce", "system", False), ("no-preference", "off", False), ("reduce", "full", True)],
)
async def test_ones_own_choice_of_motion_wins_over_the_system(
    visit, system, setting, moves
) -> None:
    ada = await visit("ada", motion=system)
    await ada.page.goto(f"{ada.home}settings/")
    await ada.page.click(f"label[for=motion-{setting}]")
    bob = await visit("bob")
    await begin_game(ada, bob, "amazons-8x8")
    name = await ada.page.evaluate(
        "getComputedStyle(document.getElementById('result')).animationName"
    )
    assert (name == "result-in") is moves
    await ada.page.evaluate(
        """() => {
            const asked = requestAnimationFrame;
            window.frames_asked = 0;
            window.requestAnimationFrame = call => { frames_asked += 1; return asked(call); };
        }"""
    )
    await click(ada, "c1", "c5", "e5")
    await step_is(ada, 2)
    if moves:  # the slide, the flight, the burn and its cooling
        await ada.page.wait_for_function("() => window.frames_asked > 12")
    else:
        await ada.page.wait_for_timeout(1500)
        assert await ada.page.evaluate("frames_asked") < 12


async def test_zen_mode_leaves_the_board_names_and_clocks_and_has_a_way_out(visit) -> None:
    ada, _ = await sit_down(visit, "amazons-8x8")
    page = ada.page
    await page.keyboard.press("z")
    leave = page.get_by_role("button", name="Leave zen mode")
    await expect(leave).to_be_visible()
    for hidden in HIDDEN_IN_ZEN:
        await expect(page.locator(hidden)).to_be_hidden()
    for shown in ("#board", "#far .name", "#near .name"):
        await expect(page.locator(shown)).to_be_visible()
    await page.reload()
    await expect(leave).to_be_visible()
    await click(ada, "c1", "c5")
    await expect(page.locator("#undo")).to_be_visible()  # needed for a turn
    await page.keyboard.press("Escape")  # empties the draft first
    await expect(leave).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(leave).to_be_hidden()
    await expect(page.locator("#log")).to_be_visible()
    await page.keyboard.press("z")
    await leave.click()
    await expect(leave).to_be_hidden()
    await expect(page.locator(".header")).to_be_visible()


async def test_an_offer_can_be_answered_in_zen_mode(visit) -> None:
    ada, bob = await sit_down(visit, "amazons-8x8")
    await ada.page.keyboard.press("z")
    await bob.offer_draw()
    await ada.page.get_by_role("button", name="Accept").click()
    await expect(ada.page.locator("#game")).to_have_attribute("data-status", "over")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("key", ["amazons-10x10", "blotto"])
async def test_nothing_scrolls_and_the_way_out_is_in_sight_in_zen_mode(
    visit, key, width, height
) -> None:
    ada, _ = await sit_down(visit, key, first={"width": width, "height": height})
    await prefer(ada, "zen", "on")
    leave = ada.page.get_by_role("button", name="Leave zen mode")
    box = await leave.bounding_box()
    assert box
    assert box["y"] + box["height"] <= height
    assert box["height"] >= 44
    assert await ada.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


async def test_the_choices_have_names_pictures_and_keys(visit) -> None:
    ada = await visit("ada", width=390, height=844)
    page = ada.page
    await page.goto(f"{ada.home}settings/")
    names = {"Board": 4, "Amazons pieces": 3, "Motion": 4, "Zen mode": 2}
    for name, count in names.items():
        group = page.get_by_role("group", name=name, exact=True)
        assert await group.get_by_role("radio").count() == count
        assert await group.locator("label canvas[aria-hidden=true]").count() == count
        for label in await group.locator("label").all():
            box = await label.bounding_box()
            assert box
            assert box["height"] >= 44
            assert box["width"] >= 44
    pictures = await page.eval_on_selector_all(
        "#device canvas", "all => all.map(canvas => canvas.toDataURL())"
    )
    assert len(set(pictures)) == len(pictures) == 13
    await page.get_by_role("radio", name="Paper").focus()
    await page.keyboard.press("ArrowRight")
    assert await page.evaluate("JSON.parse(localStorage['quiver-settings']).ground") == "slate"
    await expect(page.locator("html")).to_have_attribute("data-ground", "slate")
