"""What can go wrong between sitting down and the board."""


async def test_a_guest_whose_answer_comes_late_still_sits_at_his_own_game(visit, line):
    """The hint that the game has started may overtake the answer that carries his cookie."""
    ada, bob = await visit("ada"), await visit("bob", line=line)
    code = await ada.open_lobby("pincer")
    line.slow_answer = b"sessionid="
    await bob.page.goto(f"{bob.home}l/{code}/")
    await bob.page.click("form[action$='/sit/'] button:visible")
    await bob.wait_for_game()
    await bob.page.wait_for_selector("#resign:visible", timeout=5_000)
