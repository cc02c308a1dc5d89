"""Accessibility tree after each turn, compared with the rules' state."""

import pytest
from playwright.async_api import expect

from games.blotto import points
from tests.browser.prepared.short_games import AMAZONS_8X8, PINCER, squares
from tests.browser.probes.accessibility_tree import RECORD, expected, state_of, tree_of
from tests.browser.visitors.keyboard_user import TIMEOUT_MS, Typist, sit_down
from tests.support.prompt_unpacking import unpacked

pytestmark = pytest.mark.timeout(300)
FIELDS = ("Hill", "Ford", "Wood")
ON_BOARD = "() => document.querySelector('#board').contains(document.activeElement)"


async def hears(person: Typist, *words: str, part: str = "#speech, #alert") -> None:
    """Waits until the live regions say all of this, and the tree has it too."""
    for word in words:
        said = person.page.locator(part).filter(has_text=word)
        await expect(said).to_have_count(1, timeout=TIMEOUT_MS)
    tree = await tree_of(person)
    live = " ".join(tree.text("status") + tree.text("alert"))
    assert all(word in live for word in words), live


async def agree(ada: Typist, bob: Typist) -> None:
    """Checks that both trees name the squares as the rules do, with the possible premoves if the
    focus is on the board."""
    rules, state = await state_of(ada)
    for person, role in ((ada, "white"), (bob, "black")):
        plans = await person.page.evaluate(ON_BOARD)
        said = expected(rules, state, role, plans=plans)
        movable = sum(words.endswith(", can move") for words in said.values())
        labels = person.page.locator("#board [aria-label$=', can move']")
        await expect(labels).to_have_count(movable, timeout=TIMEOUT_MS)
        assert (await tree_of(person)).squares() == said, person.name


async def test_after_each_turn_of_amazons_the_squares_are_named_as_they_are(typist):
    ada, bob = await sit_down(typist, "amazons-8x8")
    await agree(ada, bob)
    for number, turn in enumerate(AMAZONS_8X8):
        start, end, arrow = squares(turn)
        mover, other = (ada, bob) if number % 2 == 0 else (bob, ada)
        await mover.answer(turn)
        for person in (ada, bob):
            await person.step_is(2 * number + 2)
        await hears(mover, f"You: {start} to {end}, burned {arrow}.")
        await hears(other, f": {start} to {end}, burned {arrow}.")
        await agree(ada, bob)
    winner, loser = (ada, bob) if len(AMAZONS_8X8) % 2 else (bob, ada)
    for person, said in ((winner, "You win"), (loser, "You lost")):
        await hears(person, said)
        status = (await tree_of(person)).within("region", "Turn")
        assert said in " ".join(status.text("region"))


async def test_a_turn_in_the_hand_is_named_step_by_step(typist):
    ada, _ = await sit_down(typist, "amazons-8x8")
    rules, state = await state_of(ada)
    tree = unpacked(rules.prompt(state, "white").tree, rules.view(state, None)["board"])
    await ada.to_board()
    await ada.choose("c1")
    said = (await tree_of(ada)).squares()
    assert {square for square, what in said.items() if what.endswith(", target")} == set(tree["c1"])
    assert said["c1"] == "white amazon, chosen"
    await ada.choose("c5")
    said = (await tree_of(ada)).squares()
    arrows = set(tree["c1"]["c5"].split())
    assert {square for square, what in said.items() if what.endswith(", target")} == arrows
    assert said["c5"] == "white amazon, chosen"
    assert said["c1"].startswith("empty")
    await ada.press("Escape")
    assert (await tree_of(ada)).squares() == expected(rules, state, "white")
    await ada.keeps_place()


async def test_captures_are_named_before_and_after_they_happen(typist):
    ada, bob = await sit_down(typist, "pincer")
    for number, turn in enumerate(PINCER):
        mover, other = (ada, bob) if number % 2 == 0 else (bob, ada)
        if number == 2:
            await ada.to_board()
            await ada.choose("a4", "a3")
            said = (await tree_of(ada)).squares()
            assert (said["a1"], said["a2"]) == ("circle, would be taken",) * 2
            await ada.choose("g4", "g5")
        else:
            await mover.answer(turn)
        for person in (ada, bob):
            await person.step_is(2 * number + 2)
        start, end = squares(turn)[:2]
        await hears(other, f": {start} to {end}, ")
        await agree(ada, bob)
    for person in (ada, bob):
        await hears(person, "You win" if person is mover else "You lost", "are taken.")
    await ada.keeps_place()


def opened(record: dict, number: int, you: int) -> list[str]:
    """The announcements of a revealed round to player `you`, from its record and the rules."""
    pair = [[int(troops) for troops in text.split()[1:]] for text in record["actions"][number]]
    pair = pair[:: -1 if you else 1]
    names = "you", record["white" if you else "black"]
    said = []
    for field, ours, theirs in zip(FIELDS, *pair, strict=True):
        head = f"{field}: {names[0]} {ours}, {names[1]} {theirs}, "
        won = points(ours, theirs)
        said.append(head + ("1 point each." if won == 1 else f"2 points to {names[won == 0]}."))
    return said


async def test_orders_are_heard_as_they_are_placed_and_both_when_they_are_opened(typist):
    ada, bob = await sit_down(typist, "blotto")
    for number, (mine, theirs) in enumerate([((5, 3, 2), (4, 3, 3)), ((0, 0, 10), (3, 7, 0))]):
        for name, count in zip(FIELDS, mine, strict=True):
            await ada.tab_to(f"[role=spinbutton][aria-label={name}]")
            await ada.page.keyboard.type(str(count))
            assert (await tree_of(ada)).spun()[name] == count
        await hears(ada, "All placed", part="#rest-said")
        await ada.enter("#seal")
        await expect(bob.page.locator("#far")).to_contain_text("locked in", timeout=TIMEOUT_MS)
        splits = [" ".join(map(str, split)) for split in (mine, theirs)]
        assert splits[0] not in " ".join((await tree_of(bob)).named("StaticText"))
        await bob.type_turn(splits[1])
        await bob.press("/", "Enter")
        for person in (ada, bob):
            await person.step_is(number + 1)
            record = await person.page.evaluate(RECORD)
            await hears(person, *opened(record, number, int(person is bob)))
            past = (await tree_of(person)).text("listitem")
            ours, others = splits if person is ada else splits[::-1]
            assert any(f"Round {number + 1}: {ours} against {others}" in item for item in past)
            await person.enter("#onward")
            await person.keeps_place()
