"""Balance bar, move times and past clocks on the pages of players and spectators."""

import asyncio
import re

from playwright.async_api import expect

from games.catalogue import AMAZONS_8X8, PINCER
from games.territory import territory
from tests.browser.prepared.short_games import AMAZONS_8X8 as SHORT_GAME
from tests.browser.prepared.typed_games import sit_down, step_is, type_turn
from tests.browser.visitors.browser_visitors import begin_game
from tests.games.stories import after

SHOWN = {"white": ".end.white", "black": ".end.black", "contested": ".middle b"}
# All texts, names and attributes of the page outside its scripts.
PAGE = """() => {
    const copy = document.documentElement.cloneNode(true);
    copy.querySelectorAll("script").forEach(each => each.remove());
    return copy.outerHTML;
}"""


async def play(people, turns):
    """Plays from the beginning; Amazons' turns have two steps, and Pincer's too."""
    for number, turn in enumerate(turns):
        await type_turn(people[number % 2], turn)
        for person in people:
            await step_is(person, 2 * number + 2)
            await person.page.evaluate("document.activeElement.blur()")


async def watch(visit, slug):
    cy = await visit("cy")
    await cy.page.goto(f"{cy.home}g/{slug}/")
    return cy


async def shows(person, turns):
    """The bar has the territory of the position after these turns, as `games` computes it."""
    owned = territory(AMAZONS_8X8, after("amazons-8x8", *turns).state)
    for part, place in SHOWN.items():
        number = str(getattr(owned, part).bit_count())
        await expect(person.page.locator(f"#balance {place}")).to_have_text(number)


async def has_no_territory(person):
    """The bar is not on the page, and pointing at its place shows nothing."""
    await person.page.hover("#balance", force=True)
    assert await person.page.locator("#balance > *").count() == 0
    assert await person.page.locator(".territory").count() == 0
    assert not re.search(
        "reaches|contested|out of reach|Who is ahead", await person.page.evaluate(PAGE)
    )


async def test_territory_is_for_spectators_and_for_players_at_the_end_alone(visit):
    ada, bob = await visit("ada"), await visit("bob")
    slug = await begin_game(ada, bob, "amazons-8x8")
    cy = await watch(visit, slug)
    await shows(cy, [])
    await play((ada, bob), SHORT_GAME[:4])
    await shows(cy, SHORT_GAME[:4])
    await has_no_territory(ada)
    await ada.page.keyboard.press("ArrowLeft")
    await expect(ada.page.locator("#place")).to_have_text("3 of 4")
    await has_no_territory(ada)
    await cy.page.keyboard.press("ArrowLeft")
    await shows(cy, SHORT_GAME[:3])
    await ada.page.keyboard.press("End")
    await ada.page.click("#resign")
    await ada.page.click("#asks button >> nth=0")
    for person in (ada, bob):
        await shows(person, SHORT_GAME[:4])
    await ada.page.keyboard.press("Home")
    await shows(ada, [])


async def test_pointing_at_the_bar_tints_the_squares_and_the_keyboard_does_too(visit):
    ada, bob = await visit("ada"), await visit("bob")
    cy = await watch(visit, await begin_game(ada, bob, "amazons-8x8"))
    meter = cy.page.locator("#balance [role=meter]")
    await expect(meter).to_have_attribute("aria-valuetext", re.compile(r"White reaches \d+"))
    owned = territory(AMAZONS_8X8, AMAZONS_8X8.start())
    await meter.hover()
    for part in ("white", "black", "contested"):
        count = getattr(owned, part).bit_count()
        await expect(cy.page.locator(f".territory .{part}")).to_have_count(count)
    board, tint = [
        await cy.page.eval_on_selector(place, "e => JSON.stringify(e.getBoundingClientRect())")
        for place in (".board .grid", ".territory")
    ]
    assert tint == board
    await cy.page.mouse.move(2, 2)
    await expect(cy.page.locator(".territory")).to_have_count(0)
    await meter.focus()
    await expect(cy.page.locator(".territory")).to_have_count(1)


async def test_pincers_pieces_stand_beside_the_names_with_the_steps_left(visit):
    ada, bob = await sit_down(visit, "pincer")
    start = PINCER.start()
    assert start.white.bit_count() == start.black.bit_count() == 4
    for person in (ada, bob):
        await expect(person.page.locator("#near .slots .slot")).to_have_count(4)
        near = person.page.locator("#near")
        for part in ("fill", "stroke"):  # seen on the reversed strip of the own turn as well
            drawn = await near.locator(".slot").first.evaluate(
                "(e, p) => getComputedStyle(e)[p]", part
            )
            assert drawn != await near.evaluate("e => getComputedStyle(e).backgroundColor")
        await expect(person.page.locator("#balance .middle")).to_have_text("50 steps left")
    # The shortest game: the triangles capture circles on the way.
    turns = ["g3-g4 a5-a4", "a3-a2 g5-g6", "a4-a3 g4-g5"]
    await play((ada, bob), turns)
    story = after("pincer", *turns)
    for place, pieces in (("#near", story.state.white), ("#far", story.state.black)):
        left = pieces.bit_count()
        await expect(ada.page.locator(f"{place} .slots .lost")).to_have_count(4 - left)
        label = f"{left} of 4 pieces"
        await expect(ada.page.locator(f"{place} .slots")).to_have_attribute("aria-label", label)
    await expect(ada.page.locator("#balance .middle")).to_have_text("44 steps left")
    await ada.page.keyboard.press("Home")
    await expect(ada.page.locator("#balance .middle")).to_have_text("50 steps left")
    await expect(ada.page.locator(".slots .lost")).to_have_count(0)


async def test_spectators_of_blotto_see_who_has_locked_in_and_the_past_rounds(visit):
    ada, bob = await visit("ada"), await visit("bob")
    cy = await watch(visit, await begin_game(ada, bob, "blotto"))
    states = cy.page.locator(".spectator-envelope")
    await expect(states).to_have_count(2)
    await bob.seal((2, 3, 5))
    await expect(cy.page.locator(".spectator-envelope[data-state=sealed]")).to_have_count(1)
    await expect(cy.page.locator("[data-state=sealed]")).to_have_attribute("data-role", "black")
    assert await cy.page.locator(".spectator-bars").count() == 0
    await ada.seal((5, 1, 4))
    for person in (ada, bob, cy):
        await expect(person.page.locator("#balance .end.white")).to_have_text("2")
        await expect(person.page.locator("#balance .end.black")).to_have_text("4")
    bars = cy.page.locator(".spectator-bars")
    await expect(bars).to_have_count(3, timeout=20_000)
    assert await bars.all_inner_texts() == ["5\n2", "1\n3", "4\n5"]


async def test_the_bar_tells_a_round_only_when_its_last_field_is_open(visit):
    ada, bob = await sit_down(visit, "blotto")
    # Every frame: whether the last field's verdict is shown, and what the bar says.
    await bob.page.evaluate("""() => {
        window.frames_seen = [];
        const look = () => {
            const words = [...document.querySelectorAll(".verdict")].at(-1);
            const said = Boolean(words) && !words.classList.contains("unsaid");
            const bar = [...document.querySelectorAll("#balance .end")].map(e => e.textContent);
            window.frames_seen.push([said, bar.join()]);
            requestAnimationFrame(look);
        };
        look();
    }""")
    await asyncio.gather(ada.seal((5, 1, 4)), bob.seal((2, 3, 5)))
    await expect(bob.page.locator("#balance .end.white")).to_have_text("2", timeout=10_000)
    frames = await bob.page.evaluate("window.frames_seen")
    assert {bar for said, bar in frames if not said} <= {"", "0,0"}


async def test_the_list_has_the_times_of_turns_and_the_replay_their_clocks(visit):
    ada, bob = await sit_down(visit, "pincer", "fischer:300:3")
    await play((ada, bob), ["a5-b5 a7-a6", "g5-f5 g7-g6", "b5-c5 a6-b6"])
    for person in (ada, bob):
        await expect(person.page.locator("#moves .time")).to_have_count(3)
    text = await ada.page.inner_text("#moves .time >> nth=2")
    assert re.fullmatch(r"\d+ s", text)
    cy = await watch(visit, ada.page.url.rstrip("/").rsplit("/", 1)[1])
    await expect(cy.page.locator("#moves .time")).to_have_text(
        await ada.page.locator("#moves .time").all_inner_texts()
    )
    await cy.page.keyboard.press("Home")
    for place in ("#near", "#far"):
        clock = cy.page.locator(f"{place} .clock")
        await expect(clock).to_have_text("5:00")
        await expect(clock).to_have_class(re.compile("past"))
    # The running clock stays visible to players.
    await bob.page.keyboard.press("Home")
    await expect(bob.page.locator("#near .clock")).to_have_class(re.compile("running"))
    await cy.page.keyboard.press("End")
    await expect(cy.page.locator(".clock.past")).to_have_count(0)
