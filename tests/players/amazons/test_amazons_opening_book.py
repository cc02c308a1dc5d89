"""The opening book of Amazons: its file, legal turns, mirror images, shots, its level."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.opening_keys import position_key
from games.players.amazons import opening_book
from games.players.amazons.opening_book import (
    FILE,
    KEYS,
    Book,
    book_turn,
    load,
    text_of_key,
    weights_digest,
)
from games.players.amazons.player import player_of
from games.players.amazons.settings import HABITS
from games.players.levels import has_numba, missing_data
from games.players.levels import player_of as player_of_level
from games.symmetry import canonical_position, start_symmetries
from tests.games.stories import AMAZONS, Story, after
from tests.players.amazons.boards import think

ROOT = Path(__file__).parents[3]
KEY = "amazons-8x8"
FIRST = ("c1-c7/f4", "c1-c7/c3", "c1-c6/b5")  # turns from the start, two of them by one move
REPLY = "c8-c3/b4"  # after the last of them
needs_numba = pytest.mark.skipif(not has_numba(), reason="level 8 needs numba")


def key_of(story: Story) -> int:
    """The key of a position in which a turn begins."""
    position = canonical_position(story.rules, story.state)
    assert position is not None
    return position_key(story.rules, position)


def small_book() -> Book:
    """A book of two positions, of 8×8."""
    start = after(KEY)
    replies = {key_of(start.play(FIRST[2])): {REPLY: -0.1}}
    return Book(KEY, {key_of(start): dict.fromkeys(FIRST, 0.1), **replies})


def written(path: Path, **changes: Any) -> Path:
    """A file with the small book as that of 8×8; `changes` replace parts of its entry."""
    positions = {text_of_key(key): dict(turns) for key, turns in small_book().positions.items()}
    entry = {"command": "", "seed": 1, "weights": weights_digest(KEY), "positions": positions}
    path.write_text(json.dumps({"format": 1, "books": {KEY: entry | changes}}), encoding="utf-8")
    return path


def turns_of(book: Book, story: Story, seeds: int = 80) -> set[tuple[str, ...]]:
    """The turns that some seeds choose, as canonical strings; empty if there is none."""
    found = (book_turn(book, story.view, Random(seed)) for seed in range(seeds))
    return {tuple(map(str, each.actions)) for each in found if each}


def mirrored(story: Story) -> Story:
    """The position in a mirror that swaps left and right."""
    board, *rest = story.rules.write(story.state).split(" ")
    flipped = "/".join(row[::-1] for row in board.split("/"))
    return Story(story.key, story.rules.read(" ".join((flipped, *rest))))


def mirror_image(story: Story, actions: tuple[str, ...]) -> tuple[str, ...]:
    """The actions in that mirror: it reverses the columns, the first number of each two."""
    found = []
    for text in actions:
        word, *numbers = text.split(" ")
        columns = [str(story.rules.width + 1 - int(each)) for each in numbers[::2]]
        squares = zip(columns, numbers[1::2], strict=True)
        found.append(" ".join((word, *(part for square in squares for part in square))))
    return tuple(found)


# The file


def test_a_book_is_loaded_as_it_was_written(tmp_path):
    books, sentence = load(written(tmp_path / "book.json"))
    assert books == {KEY: small_book()}
    assert "amazons-10x10: it is missing" in sentence and KEY not in sentence


@pytest.mark.parametrize("cut", [0, 1, 50, -2])
def test_a_truncated_file_means_no_book_and_one_sentence(tmp_path, cut):
    path = written(tmp_path / "book.json")
    path.write_text(path.read_text()[:cut])
    books, sentence = load(path)
    assert not books and "truncated or damaged" in sentence and "\n" not in sentence


def test_a_missing_file_means_no_book_and_one_sentence(tmp_path):
    books, sentence = load(tmp_path / "book.json")
    assert not books and "No such file" in sentence and "Level 8 searches instead" in sentence


@pytest.mark.parametrize("content", [[], {}, {"format": 2, "books": {}}, {"format": 1, "books": 3}])
def test_a_file_of_another_version_is_not_used(tmp_path, content):
    (tmp_path / "book.json").write_text(json.dumps(content))
    books, sentence = load(tmp_path / "book.json")
    assert not books and "is not used" in sentence


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"weights": "0" * 16}, "made with other weights"),
        ({"positions": None}, "damaged"),
        ({"positions": {"12": {"c1-c7/f4": 0.1}}}, "damaged"),
        ({"positions": {"z" * 16: {"c1-c7/f4": 0.1}}}, "damaged"),
        ({"positions": {text_of_key(key_of(after(KEY))): {}}}, "damaged"),
        ({"positions": {text_of_key(key_of(after(KEY))): {"c1-c7/f4": 2.0}}}, "damaged"),
        ({"positions": {text_of_key(key_of(after(KEY))): {"c1-c7/f4": "0"}}}, "damaged"),
        ({"positions": {text_of_key(key_of(after(KEY))): {"c1-c9/f4": 0.1}}}, "cannot be read"),
        ({"positions": {text_of_key(key_of(after(KEY))): {"c1-c8/f4": 0.1}}}, "not legal"),
        ({"positions": {text_of_key(key_of(after(KEY))): {"c1-c7": 0.1}}}, "not legal"),
        ({"positions": {"0" * 16: {"c1-c7/f4": 0.1}}}, "cannot be reached"),
    ],
)
def test_a_book_with_a_fault_is_not_used_and_the_sentence_says_why(tmp_path, changes, fault):
    books, sentence = load(written(tmp_path / "book.json", **changes))
    assert KEY not in books and fault in sentence and "\n" not in sentence


# The shipped book


def test_the_shipped_book_is_used_for_all_forms_of_amazons():
    books, sentence = load()
    assert sentence == "" and set(books) == set(KEYS) == set(AMAZONS)


@pytest.mark.nightly
@pytest.mark.parametrize("key", AMAZONS)
def test_every_turn_of_the_shipped_book_is_legal_on_every_board_that_it_leads_to(key):
    book, seen, waiting = load()[0][key], set(), [after(key)]
    while waiting:
        story = waiting.pop()
        if story.state in seen or key_of(story) not in book.positions:
            continue
        seen.add(story.state)
        for turn in turns_of(book, story, 200):
            waiting.append(story.play(*turn))  # checks each action
            assert waiting[-1].state.turns == story.state.turns + 1
    assert {key_of(Story(key, state)) for state in seen} == book.positions.keys()


@pytest.mark.parametrize("key", AMAZONS)
def test_turns_of_the_shipped_book_lose_at_most_its_tolerance(key):
    command = json.loads(FILE.read_text())["books"][key]["command"].split()
    tolerance = float(command[command.index("--tolerance") + 1])
    for turns in load()[0][key].positions.values():
        assert max(turns.values()) - min(turns.values()) <= 2 * tolerance + 0.001


@pytest.mark.parametrize("key", AMAZONS)
def test_the_shipped_book_offers_more_than_one_first_turn(key):
    assert len(turns_of(load()[0][key], after(key))) > 2


# Choosing


def test_the_same_seed_chooses_the_same_turn_and_others_choose_all_of_them():
    book, view = small_book(), after(KEY).view
    for seed in range(20):
        assert book_turn(book, view, Random(seed)) == book_turn(book, view, Random(seed))
    assert len(turns_of(book, after(KEY))) == 2 * len(FIRST)


def test_a_turn_of_the_start_and_its_mirror_image_are_both_chosen():
    found = turns_of(small_book(), after(KEY))
    assert {mirror_image(after(KEY), turn) for turn in found} == found
    assert len(start_symmetries(after(KEY).rules)) == 2


def test_in_a_mirrored_position_the_mirrored_turn_is_chosen():
    story = after(KEY, FIRST[2])
    (turn,) = turns_of(small_book(), story)
    assert turns_of(small_book(), mirrored(story)) == {mirror_image(story, turn)}
    mirrored(story).play(*turns_of(small_book(), mirrored(story)).pop())


def test_the_shot_after_a_move_is_one_of_the_book_after_it_and_none_after_another_move():
    book, start = small_book(), after(KEY)
    whole = turns_of(book, start)
    for move in {move for move, _ in whole}:
        shots = {shot for (shot,) in turns_of(book, start.play(move))}
        assert shots == {shot for first, shot in whole if first == move}
    assert not turns_of(book, start.play("c1-c2")) and not turns_of(book, start.play("c1-c2/c1"))


def test_a_turn_that_is_not_legal_on_the_board_is_not_played():
    story = after(KEY)
    wrong = Book(KEY, {key_of(story): {"c1-c8/f4": 0.1}})  # as if two positions had one key
    assert book_turn(wrong, story.view, Random(1)) is None


def test_the_optional_arrow_is_left_out_where_the_book_leaves_it_out():
    story = after("amazons")
    book = Book("amazons", {key_of(story): {"d1-d7": 0.2}})
    found = turns_of(book, story)
    assert found == {("play 4 1 4 7 4 1",), ("play 7 1 7 7 7 1",)}


# The players


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_only_level_eight_has_the_book(key):
    books = [player_of(key, number).book for number in range(1, 9)]
    assert books[:7] == [None] * 7 and books[7] == load()[0][key]
    assert [number for number in range(1, 9) if HABITS[key][number].has_book] == [8]
    assert player_of(key, 8, may_use_book=False).book is None


@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_level_eight_opens_with_whole_turns_of_the_book_and_spends_no_time(key):
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(True)
        return False

    for seed in range(12):
        story, acts = after(key), []
        while story.state.turns == 0:
            player = player_of_level(key, 8)  # a new one: it need not remember its move
            thought = think(player, story, 25_000, 7 * seed + len(acts), is_over=is_over)
            assert (thought.why, thought.nodes, thought.depth) == ("book", 0, 0)
            assert thought.line[0] == str(thought.action)
            acts.append(str(thought.action))
            story = story.play(acts[-1])
        assert tuple(acts) in turns_of(load()[0][key], after(key), 400)
    assert not asked


@needs_numba
def test_the_value_of_a_turn_of_the_book_is_the_thoughts():
    player, story = player_of(KEY, 8), after(KEY, FIRST[2])
    player.book = small_book()
    thought = think(player, story, 10)
    assert thought.value == -0.1 and {thought.line} == turns_of(player.book, story)


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("key", AMAZONS)
def test_beyond_the_book_and_without_it_level_eight_searches(key):
    story = after(key, {"amazons-8x8": "c1-c2/c1"}.get(key, "d1-d2/d1"))
    for player, position in (
        (player_of(key, 8), story),
        (player_of(key, 8, may_use_book=False), after(key)),
        (player_of(key, 7), after(key)),
    ):
        thought = think(player, position, 50)
        assert thought.nodes > 0 and thought.why != "book"


@needs_numba
@pytest.mark.slow
def test_the_search_after_a_turn_of_the_book_is_that_of_a_new_player():
    player, story = player_of(KEY, 8), after(KEY)
    for _ in range(2):
        story = story.play(str(think(player, story, 50).action))
    story = story.play("a6-a5/a6")
    assert key_of(story) not in load()[0][KEY].positions
    assert think(player, story, 50) == think(player_of(KEY, 8), story, 50)


@pytest.mark.processes
def test_analysis_reviews_and_claims_do_not_even_load_the_book():
    modules = (
        "games.players.analysis.lines, games.players.analysis.review, games.decided, "
        "games.wasm.amazons"
    )
    code = f"import sys, {modules}; print('games.players.amazons.opening_book' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@needs_numba
def test_a_worker_says_once_that_the_book_cannot_be_used(monkeypatch):
    assert missing_data() == ""
    monkeypatch.setattr(opening_book, "load", lambda: ({}, "No book."))
    assert missing_data() == "No book."
