"""The making of the opening book: its turns, its bounds, the same from the same seed, its files."""

from __future__ import annotations

import json

import pytest

from games.__main__ import main
from games.catalogue import rules_of
from games.core import fill_noop
from games.first_turns import canonical_first_turn
from games.lab.book_searches import BadSearches, Candidate, Effort, Found, SearchFile
from games.lab.entrants import NoEntrant, entrant
from games.lab.opening_book import (
    MAX_CANDIDATES,
    VISITS_DIVISOR,
    Terms,
    make_positions,
    search_position,
    searcher,
    write_book,
)
from games.lab.series import Match, openings_of
from games.opening_keys import turn_of_position
from games.players.amazons.opening_book import FILE, load, weights_digest
from games.players.levels import has_numba
from games.symmetry import canonical_position
from tests.games.stories import AMAZONS, after

KEY = "amazons-8x8"
needs_numba = pytest.mark.skipif(not has_numba(), reason="level 8 needs numba")


def effort(key: str = KEY, simulations: int = 30, seed: int = 1) -> Effort:
    return Effort(key, simulations, seed, weights_digest(key))


def start_text(key: str = KEY) -> str:
    position = canonical_position(rules_of(key), rules_of(key).start())
    assert position is not None
    return position.text


def made(terms: Terms, how: Effort | None = None) -> dict[str, dict[str, float]]:
    """The positions of a book that is made with real searches."""
    how = how or effort()
    return make_positions(how.key, terms, searcher(how, {}, map, lambda text, found: None))


class Scripted:
    """Searches with given results: every position has three turns, of which the first is best."""

    TURNS = ("c1-c7/f4", "c1-c6/b5", "c1-c5/c3")

    def __init__(self, loss: float, visits: tuple[int, ...] = (100, 50, 20)) -> None:
        self.loss, self.visits = loss, visits
        self.rules = rules_of(KEY)
        self.ends = [self._end(turn) for turn in self.TURNS]

    def _end(self, turn: str) -> str:
        state = self.rules.start()
        position = canonical_position(self.rules, state)
        assert position is not None
        for action in turn_of_position(self.rules, state, position, turn):
            state = self.rules.play(state, fill_noop(self.rules, {"white": action}))
        position = canonical_position(self.rules, state)
        assert position is not None
        return position.text

    def __call__(self, texts):
        first = zip(self.TURNS, self.visits, strict=True)
        found = {start_text(): Found(0.2, tuple(Candidate(*each, 0.2) for each in first))}
        # The positions after the turns cost the first player 0, 1 and 2 times the loss.
        found |= {end: Found(n * self.loss - 0.2, ()) for n, end in enumerate(self.ends)}
        return {text: found[text] for text in texts}


@pytest.mark.parametrize(("loss", "kept"), [(0.0, 3), (0.03, 2), (0.05, 1)])
def test_a_turn_is_kept_if_its_own_search_finds_it_within_the_tolerance(loss, kept):
    (turns,) = make_positions(KEY, Terms(1, 0.02, 9), Scripted(loss)).values()
    assert set(turns) == set(Scripted.TURNS[:kept])
    assert turns == {turn: round(0.2 - n * loss, 3) for n, turn in enumerate(Scripted.TURNS[:kept])}


def test_a_position_without_turns_is_not_in_the_book():
    assert len(make_positions(KEY, Terms(2, 0.02, 9), Scripted(0.0))) == 1


@pytest.mark.nightly
@needs_numba
@pytest.mark.parametrize("key", AMAZONS)
def test_a_search_counts_mirrored_turns_of_the_start_once_and_the_most_visited_first(key):
    found = search_position(effort(key, 2_000), start_text(key))
    visits = [each.visits for each in found.candidates]
    assert visits == sorted(visits, reverse=True)
    assert all(count * VISITS_DIVISOR >= visits[0] for count in visits)
    assert len({each.turn for each in found.candidates}) == len(visits)
    for each in found.candidates:
        actions = [str(action) for action in after(key).actions(each.turn)]
        assert canonical_first_turn(rules_of(key), actions) == each.turn
        after(key, *actions)  # legal
        assert -1.0 <= each.value <= 1.0


def test_a_book_keeps_to_its_bounds_and_the_same_terms_make_the_same_again():
    terms = Terms(3, 0.1, 5)
    book = made(terms)
    assert book == made(terms)
    assert 1 < len(book) <= terms.positions
    assert all(1 <= len(turns) <= MAX_CANDIDATES for turns in book.values())
    assert book != made(terms, effort(seed=2))


def test_a_book_that_was_made_is_one_that_level_8_can_use(tmp_path):
    path = tmp_path / "book.json"
    for key in (KEY, "amazons"):
        positions = made(Terms(2, 0.1, 3), effort(key))
        write_book(path, key, {"command": "", "seed": 1, "positions": positions})
    books, sentence = load(path)
    assert set(books) == {KEY, "amazons"} and "amazons-10x10: it is missing" in sentence
    assert len(books["amazons"].positions) == len(positions)


def test_a_run_goes_on_with_the_searches_of_one_that_was_ended(tmp_path):
    path, terms, counted = tmp_path / "searches.jsonl", Terms(2, 0.1, 3), []

    def run() -> dict[str, dict[str, float]]:
        file, counted[:] = SearchFile(path, effort()), []

        def note(text: str, found: Found) -> None:
            counted.append(text)
            file.append(text, found)

        return make_positions(KEY, terms, searcher(effort(), file.found, map, note))

    book, first = run(), len(counted)
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == first + 1 > 3
    path.write_text("".join(lines[:-2]) + lines[-2][:20])  # two searches are lost
    assert run() == book and len(counted) == 2
    assert run() == book and not counted


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace('"seed": 1', '"seed": 2'), "of another effort"),
        (lambda text: text.replace('"position"', '"place"'), "is not a file of searches"),
        (lambda text: "[" + text, "is not a file of searches"),
        (lambda text: "", "is not a file of searches"),
    ],
)
def test_a_file_of_other_searches_is_refused_and_stays(tmp_path, change, sentence):
    path = tmp_path / "searches.jsonl"
    SearchFile(path, effort()).append(start_text(), Found(0.1, (Candidate("c1-c7/f4", 3, 0.1),)))
    path.write_text(changed := change(path.read_text()))
    with pytest.raises(BadSearches, match=sentence):
        SearchFile(path, effort())
    assert path.read_text() == changed


@needs_numba
@pytest.mark.slow
def test_the_command_writes_the_same_book_in_two_processes(tmp_path, capsys):
    common = ("--simulations", "20", "--turns", "2", "--positions", "3", "--tolerance", "0.1")
    for jobs in ("1", "2"):
        to = str(tmp_path / f"{jobs}.json")
        assert main(["opening-book", KEY, *common, "--jobs", jobs, "--to", to]) == 0
    assert (tmp_path / "1.json").read_text() == (tmp_path / "2.json").read_text()
    entry = json.loads((tmp_path / "1.json").read_text())["books"][KEY]
    assert entry["command"] == (
        f"python -m games opening-book {KEY} --simulations 20 --turns 2 --tolerance 0.1 "
        "--positions 3 --seed 1"
    )
    assert "3 positions" in capsys.readouterr().out


@needs_numba
@pytest.mark.parametrize(
    "more", [("--tolerance", "2"), ("--simulations", "0"), ("--turns", "x"), ("--positions", "-1")]
)
def test_a_term_that_makes_no_sense_has_status_two(more, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["opening-book", KEY, *more])
    assert f"argument {more[0]}" in capsys.readouterr().err


# Matches with and without the book


@needs_numba
def test_a_match_can_name_level_8_without_its_book():
    with_book, without = entrant("8", KEY), entrant("8:no-book", KEY)
    assert with_book.make().book == load()[0][KEY] and without.make().book is None
    assert (with_book.nodes, with_book.manners) == (without.nodes, without.manners)
    assert with_book.is_level and without.is_level and not entrant("random", KEY).is_level


@needs_numba
@pytest.mark.parametrize(("name", "key"), [("8:no-book", "pincer"), ("8:", KEY), ("8:novel", KEY)])
def test_no_other_suffix_of_a_level_is_a_player(name, key):
    with pytest.raises(NoEntrant, match="is not a player of"):
        entrant(name, key)


def test_random_openings_begin_beyond_the_book_and_a_match_may_begin_at_the_start():
    rules = rules_of(KEY)
    match = Match("random", "random", KEY, 6)
    longest = 0
    for opening in openings_of(match):
        state = rules.start()
        for joint in opening:
            state = rules.play(state, joint)
        longest = max(longest, rules.turns(state))
    command = json.loads(FILE.read_text())["books"][KEY]["command"].split()
    assert longest >= int(command[command.index("--turns") + 1])
    assert openings_of(Match("random", "random", KEY, 6, from_start=True)) == ((), (), ())
