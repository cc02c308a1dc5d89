"""Games of Blotto that a keyboard plays to the end, after rounds that were sent."""

from tests.browser.prepared.sent_turns import send_actions
from tests.browser.visitors.browser_visitors import game_of

ROUNDS = 5
WINNING, LOSING = ["troops 5 4 1"], ["troops 4 3 3"]


async def win_blotto(typist, sent: int) -> None:
    """Wins a game whose first rounds were sent before its page was opened; checks the focus."""
    ada, bob = await typist("ada"), await typist("bob")
    game = await game_of(ada, bob, "blotto")
    for number in range(sent):
        for person, orders in ((ada, WINNING), (bob, LOSING)):
            await send_actions(person, game, number, orders)
    await ada.page.goto(f"{ada.home}{game}")
    await ada.wait_for_game()
    for number in range(sent, ROUNDS):
        await send_actions(bob, game, number, LOSING)
        await ada.tab_to("[role=spinbutton][aria-label=Hill]")
        await ada.press("5")
        await ada.tab_to("[role=spinbutton][aria-label=Ford]")
        await ada.press(*["ArrowUp"] * 4)
        await ada.tab_to("[role=spinbutton][aria-label=Wood]")
        await ada.press("1")
        await ada.enter("#seal")
        await ada.step_is(number + 1)
        if number < ROUNDS - 1:
            await ada.enter("#onward")
    await ada.wins()
    await ada.keeps_place()
