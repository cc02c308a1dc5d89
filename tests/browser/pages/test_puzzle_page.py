"""A puzzle in a browser: solved on the board, and proved."""

from playwright.async_api import expect

from tests.browser.prepared import stored_puzzles
from tests.browser.prepared.stored_puzzles import open_next, squares_of

puzzles = stored_puzzles.puzzles


async def test_the_right_move_on_the_board_solves_it_and_is_proved(visit, puzzles) -> None:
    ada = await visit("ada")
    puzzle = await open_next(ada, "amazons-8x8", puzzles)
    for square in [s for action in puzzle.solution[0] for s in squares_of(action)]:
        await ada.page.locator(f'.grid [data-square="{square}"]').click(force=True)
    if await ada.page.locator("#puzzle-play").is_visible():
        await ada.page.click("#puzzle-play")
    await expect(ada.page.locator(".verdict-head")).to_have_text("Solved")
    await expect(ada.page.locator("#puzzle-proof")).to_contain_text("moves were searched")
    await ada.page.reload()
    await expect(ada.page.locator("#puzzle-solution")).to_be_visible()
    await expect(ada.page.locator("#puzzle-tries li")).to_have_count(1)
    await ada.page.click("#puzzle-next")
    await ada.page.wait_for_url(lambda url: puzzle.slug not in url)
