"""Game page: its texts, its layout, and resistance to wrong input."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.browser.prepared.typed_games import (
    both_act,
    check_one_screen,
    is_over,
    sit_down,
    step_is,
    type_turn,
)
from tests.browser.visitors.browser_visitors import begin_game

SIZES = [(360, 640), (360, 740), (640, 360), (768, 1024), (1280, 800)]
GAMES = ["amazons-10x10", "amazons-8x8", "amazons", "pincer", "blotto"]
WATCH_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
            const nodes = entry.sources.map(source => {
                const { node, previousRect: before, currentRect: after } = source;
                const name = node?.id || node?.className || node?.parentElement?.className;
                return [name, node?.textContent, before.x, before.y, after.x, after.y].join(" ");
            });
            window.shifts.push(nodes.join("; "));
        }
    }).observe({ type: "layout-shift", buffered: false });
}"""


@pytest.mark.parametrize("key", GAMES)
async def test_all_of_it_is_on_one_screen_at_every_size(visit, key):
    await check_one_screen(visit, key, SIZES)


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
async def test_nothing_shifts_while_two_people_play(visit, size):
    ada, bob = await sit_down(visit, "pincer", "fischer:300:3", width=size[0], height=size[1])
    await ada.page.wait_for_timeout(500)
    await ada.page.evaluate(WATCH_SHIFTS)
    await both_act(ada, bob)
    await bob.offer_draw()
    await ada.page.wait_for_selector(".ask-sheet")
    await bob.page.click(".ask-sheet [data-command=withdraw]", delay=0, timeout=3_000)
    await ada.page.wait_for_selector(".ask-sheet", state="detached")
    await type_turn(ada, "b5-c5 a6-b6")
    await step_is(ada, 6)
    await bob.page.keyboard.press("Escape")
    await type_turn(bob, "f5-e5 g6-f6")
    await step_is(ada, 8)
    assert await ada.page.evaluate("window.shifts") == []


async def test_a_click_asks_first_in_another_place_and_the_answer_rests_for_half_a_second(visit):
    ada, bob = await sit_down(visit, "pincer")
    await both_act(ada, bob)
    await ada.page.wait_for_timeout(600)
    box = await ada.page.locator("#resign").bounding_box()
    await ada.page.click("#resign")
    confirm = ada.page.get_by_role("button", name="Yes, resign")
    asked = await confirm.bounding_box()
    assert asked["y"] + asked["height"] < box["y"]
    assert await ada.page.locator("#resign").bounding_box() == box
    await confirm.dispatch_event("click")  # at once: nothing
    assert not await bob.is_over()
    await expect(confirm).to_be_focused()
    await ada.page.keyboard.press("Escape")
    assert await ada.page.evaluate("document.activeElement.id") == "resign"
    await ada.page.keyboard.press("Enter")
    await ada.page.wait_for_timeout(600)
    await ada.page.keyboard.press("Enter")
    await is_over(ada, bob)


async def test_before_both_have_acted_a_game_is_called_off_instead(visit):
    ada, bob = await sit_down(visit, "pincer")
    await expect(ada.page.get_by_role("button", name="Abort", exact=True)).to_be_visible()
    await ada.page.wait_for_timeout(600)
    await ada.page.click("#resign")
    await ada.page.wait_for_timeout(600)
    await ada.page.click("text=Yes, abort")
    await is_over(ada, bob)
    await bob.says("Game aborted")


async def test_on_a_phone_an_own_offer_stands_where_one_plays_and_says_whose_act_ended_it(visit):
    ada, bob = await visit("ada", width=390, height=844), await visit("bob")
    await begin_game(ada, bob, "pincer")
    other_tab = await ada.page.context.new_page()
    await other_tab.goto(ada.page.url)
    await ada.page.click("#draw")
    await expect(bob.page.locator(".ask-sheet")).to_have_count(0)  # she is asked first
    await ada.page.click("[data-command=offer]")
    own = ada.page.locator('.ask-sheet[data-thing="draw"]')
    await expect(own).to_be_visible()
    await own.get_by_role("button", name="Withdraw").click()
    for page in (ada.page, other_tab):
        await expect(page.locator("#notices")).to_have_text("You withdrew.")
    await expect(bob.page.locator("#notices")).to_contain_text("withdrew the draw offer")
    await bob.offer_draw()
    await ada.page.click("[data-command=decline]")
    for page in (ada.page, other_tab):
        await expect(page.locator("#notices")).to_have_text("You declined.")
        await expect(page.locator("#speech")).not_to_contain_text("withdrew the")
    await expect(bob.page.locator("#notices")).to_contain_text("declined the draw")


async def test_a_turn_that_waits_for_its_button_is_shown_as_not_sent_and_guards_the_page(visit):
    ada, bob = await sit_down(visit, "pincer")
    await ada.page.click("#open-setup")
    await ada.page.click("label[for=send-button]")
    await ada.page.click("#close-setup")
    await type_turn(ada, "a5-b5 a7-a6")
    await expect(ada.page.locator("#chip")).to_have_text("a5-b5 a7-a6 (draft)")
    questions = []

    async def answer(dialog):
        questions.append(dialog.type)
        await dialog.dismiss()

    ada.page.on("dialog", answer)
    await ada.page.evaluate("setTimeout(() => location.assign('/'))")
    await ada.page.wait_for_timeout(500)
    assert questions == ["beforeunload"]
    await ada.page.click("#send")
    await step_is(bob, 2)
    await expect(ada.page.locator("#chip")).to_be_hidden()
    await ada.page.goto(ada.home)
    assert questions == ["beforeunload"]


async def test_a_mistyped_turn_is_explained_beside_the_field(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    await type_turn(ada, "d1-d9")
    say = ada.page.locator("#typed-say")
    await expect(say).to_be_visible()
    await expect(ada.page.locator("#type")).to_have_attribute("aria-invalid", "true")
    assert await ada.page.get_attribute("#type", "aria-describedby") == "typed-say"
    words = await say.inner_text()
    assert words
    assert await ada.page.inner_text("#alert") == words
    await ada.page.keyboard.press("Escape")
    await type_turn(ada, "flip")
    first = await ada.page.get_attribute(".grid button", "data-square")
    assert first == "h1"


@pytest.mark.parametrize(("how", "most_s"), [("cut", 3.0), ("swallow", 6.0)])
async def test_a_lost_or_half_open_line_veils_the_board_within_seconds(visit, proxy, how, most_s):
    ada, bob = await visit("ada", line=proxy), await visit("bob")
    await begin_game(ada, bob, "pincer", clock="fischer:300:3")
    await ada.page.wait_for_timeout(3_000)
    getattr(proxy, how)()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await ada.page.get_by_text("Connection lost").first.wait_for(timeout=12_000)
    took = loop.time() - begun
    assert took <= most_s, took
    proxy.mend()
    await ada.page.get_by_text("Connection lost").first.wait_for(state="hidden", timeout=15_000)


async def test_a_clock_never_shows_nothing_left_before_the_server_has_said_so(visit, proxy):
    ada, bob = await visit("ada", line=proxy), await visit("bob")
    await ada.page.goto(f"{ada.home}new/?game=pincer")
    await ada.page.click(".more-options summary")
    await ada.page.click("label[for=clock-custom]")
    await ada.page.fill("input[name=minutes]", "0.25")
    await ada.page.fill("input[name=seconds]", "0")
    await ada.page.click('button:has-text("Create game")')
    await ada.page.wait_for_url("**/l/*/")
    await bob.join_from_home(ada.page.url.rstrip("/").rsplit("/", 1)[1])
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    await both_act(ada, bob)  # no clock runs in the first turns
    await ada.page.wait_for_selector("#near .clock.running")
    proxy.swallow()  # the page does not hear of its end
    await bob.page.wait_for_selector("#game[data-status=over]", timeout=30_000)
    assert await ada.page.inner_text("#near .clock") == "0:00.1"
    proxy.mend()
    await is_over(ada, bob)


async def test_the_focus_is_not_lost_when_buttons_go(visit):
    ada, bob = await sit_down(visit, "pincer")
    await ada.page.focus("#draw")
    await ada.page.keyboard.press("Enter")
    answer = ada.page.locator("[data-command=offer]")
    await expect(answer).to_be_focused()
    await expect(answer).to_have_attribute("aria-disabled", "false", timeout=2_000)
    await ada.page.keyboard.press("Enter")
    await bob.page.wait_for_selector(".ask-sheet")
    await bob.page.wait_for_timeout(600)
    await bob.page.focus(".ask-sheet [data-command=decline]")
    await bob.page.keyboard.press("Enter")
    await ada.page.wait_for_selector(".ask-sheet", state="detached")
    for person in (ada, bob):
        assert await person.page.evaluate("document.activeElement !== document.body")


@pytest.mark.parametrize("key", ["amazons-8x8", "blotto"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
async def test_nothing_shifts_while_a_page_is_loaded(visit, key, size):
    ada, _ = await sit_down(visit, key, width=size[0], height=size[1])
    await ada.page.add_init_script(f"({WATCH_SHIFTS})()")
    await ada.page.reload()
    await ada.page.wait_for_selector("#game[data-turn]")
    await ada.page.wait_for_timeout(1_000)
    assert await ada.page.evaluate("window.shifts") == []


async def test_a_planned_turn_is_shown_can_be_dropped_and_is_played_when_its_time_comes(visit):
    ada, bob = await sit_down(visit, "pincer")
    await bob.page.locator(".grid button[data-square=g5]").click()
    await bob.page.locator(".grid button[data-square=f5]").click()
    await bob.page.locator(".grid button[data-square=g7]").click()
    await bob.page.locator(".grid button[data-square=g6]").click()
    chip = bob.page.locator("#chip")
    await expect(chip).to_have_text("Premove: g5-f5 g7-g6")
    await bob.page.click("#undo:has-text('Cancel premove')")
    await expect(chip).to_be_hidden()
    await type_turn(bob, "g5-f5 g7-g6")
    await expect(chip).to_have_text("Premove: g5-f5 g7-g6")
    await type_turn(ada, "a5-b5 a7-a6")
    await step_is(ada, 4)
