"""Keyboard only: each game can be won, and every function of its page used."""

import asyncio

import pytest

from tests.browser.prepared.keyboard_games import win_blotto
from tests.browser.prepared.short_games import AMAZONS_8X8, squares

pytestmark = pytest.mark.timeout(300)


async def test_amazons_8x8_is_played_to_its_end_by_two_keyboards_in_the_grid(typist):
    ada, bob = await typist("ada"), await typist("bob")
    await bob.join_by_keys(await ada.open_lobby_by_keys("amazons-8x8"))
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    for person in (ada, bob):
        await person.to_board()
    for number, turn in enumerate(AMAZONS_8X8):
        person = (ada, bob)[number % 2]
        await person.is_up()
        await person.choose(*squares(turn), key=("Enter", "Space")[number % 2])
        for each in (ada, bob):
            await each.step_is(2 * number + 2)
    await ada.wins()
    for person in (ada, bob):
        await person.keeps_place()


async def test_all_rounds_of_blotto_are_won_with_numbers_that_are_typed_and_counted(typist):
    await win_blotto(typist, 0)
