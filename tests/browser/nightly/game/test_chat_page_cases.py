"""Chat in the browser: two players and a spectator, with and without accounts."""

from playwright.async_api import expect

from tests.browser.visitors import chat_panel
from tests.browser.visitors.chat_panel import TIMEOUT_MS, at_a_board, signs_up

sql = chat_panel.sql
talker = chat_panel.talker
FITS = """([width, height]) => {
    const chat = document.querySelector(".chat");
    chat.parentElement.style.cssText =
        `position: fixed; left: 0; top: 60px; width: ${width}px; height: ${height}px`;
    return new Promise(resolve => setTimeout(() => {
        const box = chat.getBoundingClientRect();
        const inside = [...chat.querySelectorAll("input, button, .chat-scroll")]
            .filter(part => part.offsetParent && !part.closest(".chat-scroll, .chat-chips"));
        const chips = chat.querySelector(".chat-chips");
        const parts = [...inside, ...(chips.hidden ? [] : [chips])];
        resolve(parts.map(part => part.getBoundingClientRect())
            .every(part => part.left >= box.left - 1 && part.right <= box.right + 1
                && part.top >= box.top - 1 && part.bottom <= box.bottom + 1));
    }, 200));
}"""
# The words on the readers lie wholly within the scrolled part.
INTRO_IN_SIGHT = """() => {
    const [intro, scroll] = [".chat-intro", ".chat-scroll"]
        .map(part => document.querySelector(part).getBoundingClientRect());
    return intro.height > 0 && intro.top >= scroll.top && intro.bottom <= scroll.bottom;
}"""
# The chips of which more is seen than an edge but not the whole, and how many are out of sight.
CUT_CHIPS = """() => {
    const box = document.querySelector(".chat-chips").getBoundingClientRect();
    const chips = [...document.querySelectorAll(".chat-chip")];
    const seen = chips.map(chip => {
        const { top, height } = chip.getBoundingClientRect();
        return (box.bottom - top) / height;
    });
    return [chips.map(chip => chip.textContent).filter((_, n) => seen[n] > 0.45 && seen[n] < 1),
        seen.filter(share => share <= 0.45).length];
}"""
SMALL = """() => [...document.querySelectorAll(".chat button, .chat input")]
    .filter(part => part.offsetParent)
    .map(part => [part.className, part.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)"""


async def test_mute_and_report_by_keyboard_alone(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    await bob.write("you are a fool")
    await ada.reads("you are a fool")
    press, menu = ada.page.keyboard.press, ada.page.locator(".chat-menu")
    await ada.page.focus(".chat-scroll")
    await press("Tab")
    await expect(menu).to_be_focused()
    await press("Enter")
    await expect(ada.page.get_by_role("button", name="Mute ")).to_be_focused()
    await press("Escape")
    await expect(menu).to_be_focused()
    await press("Enter")
    await press("Tab")
    await press("Enter")
    await expect(ada.page.get_by_role("button", name="Insulting")).to_be_focused()
    await press("Enter")
    await ada.note("Thanks. A moderator will review it.")
    await expect(menu).to_be_focused()
    await press("Enter")
    await press("Enter")
    await ada.reads()
    await expect(ada.page.locator(".chat-scroll")).to_be_focused()
    await bob.reads("you are a fool")
    await ada.page.reload()
    await ada.open_panel()
    await ada.reads()
    await ada.page.click(".chat-own")
    await ada.chooses("Unmute")
    await ada.reads("you are a fool")
    sql("UPDATE chat_report SET state = 'acted'")
    sql("UPDATE chat_chatmember SET rev = rev + 1")
    await ada.page.click(".chat-own")
    await expect(ada.page.locator(".chat-word")).to_have_text("Your report: action taken.")


async def test_an_open_menu_keeps_the_focus_while_other_things_change(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    await bob.write("you are a fool")
    await ada.reads("you are a fool")
    press, own = ada.page.keyboard.press, ada.page.locator(".chat-own")
    await ada.page.focus(".chat-menu")
    for key in ("Enter", "Tab", "Enter", "Enter"):
        await press(key)
    await expect(own).to_be_visible()
    await press("Enter")
    mute = ada.page.get_by_role("button", name="Mute ")
    await expect(mute).to_be_focused()
    sql("DELETE FROM chat_report")
    sql("UPDATE chat_chatmember SET rev = rev + 1")
    await expect(own).to_be_hidden()
    await expect(mute).to_be_focused()


async def test_a_reader_who_scrolled_up_stays_there(talker, sql):
    ada, bob, _ = await at_a_board(talker)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    filler = [f"{number} " + "word " * 30 for number in range(4)]
    for line in filler:
        await bob.write(line)
        await expect(bob.page.locator(".chat-form input")).to_have_value("")
    await expect(ada.page.locator(".chat-text")).to_have_count(4, timeout=TIMEOUT_MS)
    place = "document.querySelector('.chat-scroll').scrollTop"
    assert await ada.page.evaluate(place) > 0
    await ada.page.evaluate(f"{place} = 0")
    sql("UPDATE chat_chatmember SET bucket_full_at = 0")
    for line in ("one", "two", "three"):
        await bob.write(line)
        await expect(bob.page.locator(".chat-form input")).to_have_value("")
    fresh = ada.page.locator(".chat-fresh")
    await expect(fresh).to_have_text("3 new", timeout=TIMEOUT_MS)
    assert await ada.page.evaluate(place) == 0
    await fresh.click()
    await expect(fresh).to_be_hidden()
    await expect(ada.page.locator(".chat-text").last).to_be_in_viewport()


async def test_a_line_written_while_disconnected_is_sent_once(talker, sql, proxy):
    ada, bob, _ = await at_a_board(talker, line=proxy)
    await signs_up(bob, sql)
    for person in (ada, bob):
        await person.open_panel()
    proxy.cut()
    await bob.note("Not connected.")
    await bob.write("are you there")
    await expect(bob.page.locator(".chat-form input")).to_have_value("are you there")
    proxy.mend()
    await ada.reads("are you there")
    await bob.reads("are you there")
    await expect(bob.page.locator(".chat-form input")).to_have_value("", timeout=TIMEOUT_MS)


async def test_refusals_are_said_and_the_text_stays(talker, sql):
    ada, _, _ = await at_a_board(talker)
    await signs_up(ada, sql)
    await ada.open_panel()
    field, left = ada.page.locator(".chat-form input"), ada.page.locator(".chat-left")
    await expect(left).to_be_empty()
    await ada.page.fill(".chat-form input", "x" * 190)
    await expect(left).to_have_text("10 left")
    await ada.write("x" * 201)
    await ada.note("longer than 200")
    await expect(left).to_have_text("1 too many")
    for _ in range(2):
        await ada.write("hurry")
        await expect(field).to_have_value("", timeout=TIMEOUT_MS)
    await ada.write("hurry")
    await ada.note("You’ve already said that twice.")
    await expect(field).to_have_value("hurry")


async def test_the_panel_fits_and_can_be_hit_with_a_finger(talker, sql):
    ada, bob, _ = await at_a_board(talker, width=360, height=740, touch=True)
    await signs_up(ada, sql)
    for person in (ada, bob):
        await person.open_panel()
    await ada.write("hello")
    await bob.reads("hello")
    assert await bob.page.evaluate(SMALL) == []
    await bob.about("hello")
    assert await bob.page.evaluate(SMALL) == []
    await bob.chooses("Close")
    for person in (ada, bob):
        for size in ((250, 100), (328, 100), (344, 200), (400, 400)):
            assert await person.page.evaluate(FITS, size), size


async def test_a_low_panel_without_messages_says_who_reads_them(talker):
    _, _, slug = await at_a_board(talker)
    cy = await talker("cy", width=768, height=1024)
    await cy.page.goto(f"{cy.home}g/{slug}/")
    await cy.open_panel()
    await cy.page.click(".chat-guest button")
    await cy.page.wait_for_load_state()
    await cy.open_panel()
    await expect(cy.page.locator(".chat-chip").first).to_be_visible(timeout=TIMEOUT_MS)
    assert await cy.page.evaluate(INTRO_IN_SIGHT)


async def test_the_phrases_end_with_a_whole_row_or_are_all_in_sight(talker):
    ada, bob, _ = await at_a_board(talker, width=1920, height=1080)
    await ada.open_panel()
    for size in ((344, 220), (400, 400)):
        await ada.page.evaluate(FITS, size)
        cut, hidden = await ada.page.evaluate(CUT_CHIPS)
        assert cut == [] and hidden > 0, size
    await expect(bob.page.locator(".chat-beside .chat-chip").first).to_be_visible()
    assert await bob.page.evaluate(CUT_CHIPS) == [[], 0]


async def test_a_device_that_wants_no_talk_has_none(talker):
    ada = await talker("ada")
    await ada.open_lobby("pincer")
    sent: list[str] = []
    ada.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text)))
    )
    await ada.page.reload()
    await ada.open_panel()
    assert any('"chat:lobby/' in text for text in sent)
    await ada.page.evaluate("localStorage.setItem('quiver-settings', '{\"chat\":\"off\"}')")
    sent.clear()
    await ada.page.reload()
    await ada.page.wait_for_timeout(1_000)
    await expect(ada.page.locator(".chat")).to_be_hidden()
    assert sent and not any('"chat:' in text for text in sent)
