"""Keyboard only: each game can be won, and every function of its page used."""

import asyncio

import pytest

from tests.browser.prepared.keyboard_games import win_blotto
from tests.browser.prepared.sent_turns import begin_alone, send_turn
from tests.browser.prepared.short_games import AMAZONS_10X10, FREE_ARROW, PINCER, squares
from tests.browser.visitors.keyboard_user import sit_down

pytestmark = pytest.mark.timeout(300)


async def test_amazons_is_won_by_typing(typist):
    ada, bob = await typist("ada"), await typist("bob")
    game = await begin_alone(ada, bob, "amazons-10x10")
    for number, turn in enumerate(AMAZONS_10X10):
        if number % 2:
            await send_turn(bob, game, 2 * number, turn)
        else:
            await ada.is_up()
            await ada.type_turn(turn)
        await ada.step_is(2 * number + 2)
    await ada.wins()
    await ada.keeps_place()


async def test_amazons_with_a_free_arrow_is_won_in_the_grid_and_an_arrow_is_kept(typist):
    ada, bob = await sit_down(typist, "amazons")
    await ada.to_board()
    for number, turn in enumerate(FREE_ARROW):
        if number % 2:
            await bob.answer(turn)
        else:
            await ada.is_up()
            await ada.choose(*squares(turn))
        if "/" not in turn:
            await ada.enter("#keep-arrow")
            await ada.step_is(1)
            await ada.tab_to(".grid button")
        await ada.step_is(number + 1)
    await ada.wins()
    await ada.keeps_place()


async def test_pincer_is_won_by_its_captures_after_a_search(typist):
    ada, bob = await typist("ada"), await typist("bob")
    await ada.search_by_keys("pincer")
    await bob.search_by_keys("pincer")
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    first, second = (ada, bob) if await ada.may_act() else (bob, ada)
    await first.to_board()
    for number, turn in enumerate(PINCER):
        if number % 2:
            await second.type_turn(turn)
        else:
            await first.choose(*squares(turn), key="Space")
        for person in (ada, bob):
            await person.step_is(2 * number + 2)
    await first.wins()
    for person in (ada, bob):
        await person.keeps_place()


async def test_blotto_is_won_with_numbers_that_are_typed_and_counted(typist):
    await win_blotto(typist, 3)
