"""Complete games of two people and a spectator, from the front page to the end."""

import random

import pytest

from tests.browser.prepared.whole_games import (
    SPLITS,
    all_agree,
    lose_the_line,
    play_board_game,
    sit_down,
)

BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("key", BOARDS)
async def test_two_people_play_a_whole_board_game_and_a_third_watches(visit, proxy, key):
    await play_board_game(visit, proxy, key)


@pytest.mark.timeout(240)
async def test_two_people_play_a_whole_game_of_blotto_and_a_third_watches(visit, proxy):
    ada, bob, cy = await sit_down(visit, proxy, "blotto")
    rng = random.Random(5)
    for number in range(5):
        if number == 1:
            await ada.page.reload()
        if number == 2:
            await lose_the_line(proxy, bob)
        splits = rng.choice(SPLITS), rng.choice(SPLITS)
        await ada.seal(splits[0])
        await ada.page.wait_for_selector("#game[data-turn=waits]")
        assert await bob.page.get_by_text("has locked in").count() > 0
        await bob.seal(splits[1])
        for person in (ada, bob):
            await person.page.wait_for_selector(f"#game[data-step='{number + 1}']")
            if number < 4:
                await person.page.click("#onward")
    await all_agree(ada, bob, cy)
