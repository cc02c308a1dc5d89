"""Games of two people who are watched, from the front page to the end."""

import asyncio
import random
import re

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.keyboard_user import CHOOSE

SPLITS = [(4, 3, 3), (6, 4, 0), (0, 5, 5), (10, 0, 0), (5, 3, 2), (7, 2, 1), (1, 1, 8)]
MAX_TURNS = 400
RELOADED, CUT = 2, 5  # turns before which it happens, to the page of the one who is to move


async def sit_down(visit, line, key):
    """Ada opens a lobby, Bob finds it and joins over the line, Cy finds the game and watches."""
    ada, bob = await visit("ada"), await visit("bob", width=390, height=780, line=line)
    cy = await visit("cy", width=768, height=1024)
    code = await ada.open_lobby(key)
    await bob.join_from_home(code)
    slug, _ = await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    await cy.watch_from_home(slug)
    return ada, bob, cy


async def lose_the_line(line, person):
    """Cuts the line until the page says so, then mends it and waits until the page is back."""
    line.cut()
    await person.page.get_by_text("Connection lost").first.wait_for(timeout=10_000)
    line.mend()
    await person.page.get_by_text("Connection lost").first.wait_for(state="hidden", timeout=15_000)


async def all_agree(*people):
    """Every page shows the same end of the same game."""
    for person in people:
        await person.page.wait_for_selector("#game[data-status=over]", timeout=10_000)
    facts = [await person.facts() for person in people]
    assert facts[0] == facts[1] == facts[2]
    return facts[0]


async def play_board_game(visit, proxy, key, turns=()):
    """Two people play a game to its end; a page is loaded anew, and a line is cut meanwhile.

    The game is played at random unless its turns are given.
    """
    ada, bob, cy = await sit_down(visit, proxy, key)
    rng, sides = random.Random(key), (ada, bob)
    for turn in range(MAX_TURNS):
        mover = sides[turn % 2]
        await mover.page.wait_for_selector(
            "#game[data-turn=yours], #game[data-status=over]", timeout=15_000
        )
        if await mover.is_over():
            break
        if turn == RELOADED:
            await ada.page.reload()
            await ada.page.wait_for_selector("#game[data-turn=yours]")
        if turn == CUT:
            await lose_the_line(proxy, bob)
        if turns:
            await mover.page.evaluate(CHOOSE, squares(turns[turn]))
        else:
            await mover.play_turn(rng)
    await all_agree(ada, bob, cy)
    boards = [await person.read_board() for person in (ada, bob, cy)]
    assert boards[0] == boards[1] == boards[2]
    sentences = [await person.page.inner_text("#sentence") for person in (ada, bob, cy)]
    assert re.search("wins|draw", sentences[2], re.IGNORECASE)
    told = {sentence.partition(".")[0] for sentence in sentences[:2]}
    assert told in ({"You win", "You lost"}, {"Draw"})
