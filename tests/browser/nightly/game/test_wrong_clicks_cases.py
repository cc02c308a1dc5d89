"""Clicks that choose nothing: the page says why, and marks what is in the way."""

import pytest

from tests.browser.visitors.pointer_actions import centre, click, hand_is, hint_is, prefer, sit_down

ASKED = """() => {
    window.asked = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        if (text.includes('"explain"')) window.asked.push(JSON.parse(text));
        return send.call(this, text);
    };
}"""


async def test_the_sentence_goes_with_the_next_choice(visit):
    ada, _ = await sit_down(visit, "pincer")
    await click(ada, "a3")
    await hint_is(ada, "That piece is not yours.")
    await click(ada, "a7")
    await hint_is(ada, "Move to any dot.")
    await click(ada, "a6")
    await click(ada, "a6")  # takes the step back
    await click(ada, "a7", "a6", "a5", "a7")
    assert "Choose another" not in (await ada.page.locator("#hint").inner_text())


async def test_the_second_step_of_pincer_asks_for_another_piece(visit):
    ada, _ = await sit_down(visit, "pincer")
    await prefer(ada, "send", "button")
    await click(ada, "a7", "b7", "g3")
    await ada.page.focus('.grid [data-square="b7"]')
    await hint_is(ada, "Move to any dot.")
    await ada.page.evaluate(ASKED)
    await click(ada, "d4")
    await hint_is(ada, "d4 isn’t one step up, down, left or right of g3.")
    assert [each["squares"] for each in await ada.page.evaluate("asked")] == [
        ["a7", "b7", "g3", "d4"]
    ]


async def test_a_key_on_a_square_that_is_no_target_is_answered_as_a_click_is(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    await ada.page.focus('.grid [data-square="a6"]')
    await ada.page.keyboard.press("Enter")
    await hint_is(ada, "That piece is not yours.")
    await ada.page.focus('.grid [data-square="c1"]')
    await ada.page.keyboard.press("Enter")
    await hand_is(ada, "open")
    await ada.page.focus('.grid [data-square="d3"]')
    await ada.page.keyboard.press("Enter")
    await hint_is(ada, "c1 to d3 isn’t a straight line.")
    await hand_is(ada, "open")  # the piece stays in the hand


async def test_a_wrong_click_in_a_premove_is_answered_too(visit):
    _, bob = await sit_down(visit, "amazons-8x8")
    await click(bob, "c8")
    await hand_is(bob, "open")
    await click(bob, "h6")
    await hand_is(bob, "open")
    await click(bob, "a3")
    await hint_is(bob, "h6 to a3 isn’t a straight line.")


async def test_spectators_are_not_answered_and_ask_nothing(visit):
    ada, _ = await sit_down(visit, "pincer")
    eve = await visit("eve")
    await eve.page.add_init_script(f"({ASKED})()")
    await eve.page.goto(ada.page.url)
    await eve.page.wait_for_selector("#game[data-step='0']")
    await click(eve, "a7", "d4")
    assert await eve.page.evaluate("asked") == []


async def test_without_a_connection_the_piece_is_shaken_and_nothing_is_said(visit, proxy):
    ada, _ = await sit_down(visit, "pincer", first={"line": proxy})
    before = await ada.page.locator("#hint").inner_text()
    await ada.page.evaluate("WebSocket.prototype.send = () => {}")  # all requests are lost
    x, y = await centre(ada, "a3")
    await ada.page.mouse.click(x, y)
    await click(ada, "a7")
    await hint_is(ada, "Move to any dot.")
    await click(ada, "a7")
    await hint_is(ada, before)


@pytest.mark.parametrize("reason", ["slow_down", "stale_step"])
async def test_a_question_that_is_refused_says_nothing(visit, reason):
    """A refused question is no refused turn: no notice, the clicks go on."""
    ada, _ = await sit_down(visit, "pincer")

    async def refuse(route):
        server = route.connect_to_server()
        import json

        def from_page(text):
            message = json.loads(text)
            if message["t"] != "explain":
                server.send(text)
                return
            refusal = {"t": "refused", "topic": message["topic"], "id": message["id"]}
            route.send(
                json.dumps(
                    {
                        **refusal,
                        "reason": reason,
                        "code": None,
                        "squares": [],
                        "say": "No.",
                        "index": 0,
                    }
                )
            )

        route.on_message(from_page)

    await ada.page.route_web_socket("**/ws/**", refuse)
    await ada.page.reload()
    await ada.page.wait_for_selector("#game[data-turn='yours']")
    await click(ada, "a3", "a7")
    await hint_is(ada, "Move to any dot.")
    assert await ada.page.locator("#notices").inner_text() == ""
