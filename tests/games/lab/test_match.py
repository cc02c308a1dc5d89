"""Matches: openings, single games and the sum of the results."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from games.catalogue import rules_of
from games.core import advance, assemble_joint
from games.lab.entrants import NoEntrant, entrant
from games.lab.game import NOTHING, Budget, Effort, Played, Side, play_game
from games.lab.likelihood import log_ratio
from games.lab.openings import TooFew, is_fair, openings, territory
from games.lab.series import Match, pairs, play_pair, tallies
from games.lab.spiel import number_of, numbers_of, square_of
from games.lab.tally import Hypotheses, Pair, Tally, Verdict
from games.moves import Fire, Move, Play
from games.players.core import Thought
from games.players.manners import Manners
from games.players.random_player import RandomPlayer
from tests.games.oracle import board_of, queen
from tests.games.stories import BOARDS, KEYS, drawn

pytestmark = pytest.mark.slow

SPIEL = Path(__file__).parent / "spiel-amazons.jsonl"


def stopped() -> float:
    """A clock that stands still."""
    return 0.0


def chances(rules):
    return {role: Side(RandomPlayer(), Budget(1)) for role in rules.roles}


# Openings


@pytest.mark.parametrize("key", KEYS)
def test_fifty_openings_are_legal_fair_unfinished_and_all_different(key):
    rules = rules_of(key)
    ends = []
    for opening in openings(key, 50, 1):
        state = rules.start()
        for joint in opening:
            state = advance(rules, state, joint)
        assert rules.control(state) and is_fair(rules, state)
        ends.append(rules.write(state))
    assert len(set(ends)) == 50


@pytest.mark.parametrize("key", KEYS)
def test_the_seed_alone_decides_on_the_openings(key):
    openings.cache_clear()
    first = openings(key, 6, 5)
    openings.cache_clear()
    assert openings(key, 12, 5)[:6] == first != openings(key, 6, 6)


def test_an_opening_is_whole_turns():
    for key in BOARDS:
        rules = rules_of(key)
        state = rules.start()
        for joint in openings(key, 1, 3)[0]:
            before, state = state, rules.play(state, joint)
        assert rules.turns(before) == 3 and rules.turns(state) == 4
        assert rules.control(state) == {"white"}


def test_there_is_no_end_of_asking_but_an_end_of_openings():
    with pytest.raises(TooFew, match="has not 5000 different openings"):
        openings("blotto", 5000, 1)


def test_a_side_that_is_pieces_or_much_territory_ahead_has_no_fair_game():
    assert not is_fair(
        rules_of("pincer"),
        drawn(
            "pincer",
            """
            W.....B
            .......
            W.....B
            .......
            B.....W
            .......
            B......
            """,
            rest="- 8 4",
        ).state,
    )
    walled = drawn(
        "amazons-8x8",
        """
        ........
        ........
        ........
        ........
        ......WW
        xxx.....
        BBx...W.
        BBx....W
        """,
    )
    assert territory(walled.rules, walled.state) == 64 - 8 - 5
    assert not is_fair(walled.rules, walled.state)


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8"])
def test_territory_is_what_a_slow_count_of_queens_moves_says(key):
    rules = rules_of(key)
    for opening in openings(key, 5, 9):
        state = rules.start()
        for joint in opening:
            state = rules.play(state, joint)
        board = board_of(rules.view(state, None)["board"])
        white, black = distances(board, "W"), distances(board, "B")
        nearer = [
            (white.get(cell, 999) < black.get(cell, 999))
            - (white.get(cell, 999) > black.get(cell, 999))
            for cell, piece in board.items()
            if piece == "."
        ]
        assert territory(rules, state) == sum(nearer)


def distances(board, letter):
    found, front, steps = {}, [c for c, piece in board.items() if piece == letter], 0
    while front:
        steps += 1
        front = [c for start in front for c in queen(board, start)]
        front = list(dict.fromkeys(c for c in front if c not in found))
        found |= dict.fromkeys(front, steps)
    return found


# One game


@pytest.mark.parametrize("key", KEYS)
def test_a_game_runs_from_its_opening_to_its_end_and_counts_the_turns_of_both(key):
    rules = rules_of(key)
    played = play_game(rules, openings(key, 1, 2)[0], chances(rules), 7, stopped)
    first = 1 if key == "blotto" else 4
    counted = [played.efforts[role].turns for role in rules.roles]
    if key == "blotto":
        assert played.turns == 5 and counted == [4, 4]
    else:
        assert played.turns > first and abs(counted[0] - counted[1]) <= 1
        assert sum(counted) <= played.turns - first + 1


def test_the_same_seed_plays_the_same_game():
    rules = rules_of("pincer")

    def again(seed):
        return [
            play_game(rules, opening, chances(rules), seed, stopped)
            for opening in openings("pincer", 5, 1)
        ]

    assert again(3) == again(3) != again(4)


@dataclass
class Idler:
    """Never shoots, and notes for how long it might think."""

    allowed: list = field(default_factory=list)

    def choose(self, view, role, choices, clock, seed):
        self.allowed.append(clock)
        action = choices.sample(Random(seed))
        if isinstance(action, Play):
            action = action._replace(arrow=action.origin)
        return Thought(action, 0.0, (str(action),), 3, 0, seed)


def test_ten_turns_without_an_arrow_are_counted():
    rules = rules_of("amazons")
    sides = {role: Side(Idler(), Budget(1)) for role in rules.roles}
    played = play_game(rules, (), sides, 1, stopped)
    assert (played.winner, played.turns) == (None, 10)
    assert played.efforts["white"] == Effort(3 * 5, 0.0, 5)


@dataclass(frozen=True)
class Prophet:
    """Plays anything, and thinks the same of it in every turn."""

    value: float

    def choose(self, view, role, choices, clock, seed):
        action = choices.sample(Random(seed))
        return Thought(action, self.value, (str(action),), 1, 0, seed)


@pytest.mark.parametrize(("resigns", "turns"), [(True, 2), (False, None)])
def test_a_player_that_resigns_does_so_after_two_hopeless_turns_in_a_row(resigns, turns):
    rules = rules_of("pincer")
    sides = {
        "white": Side(Prophet(-0.98), Budget(1), Manners(-0.97 if resigns else None)),
        "black": Side(Prophet(0.0), Budget(1), Manners(-0.97)),
    }
    played = play_game(rules, (), sides, 1, stopped)
    if resigns:
        assert (played.turns, played.winner) == (turns, "black")
    else:
        assert played.turns > 2


@pytest.mark.parametrize(
    ("value", "is_trusted", "ends"), [(1.0, True, True), (0.99, True, False), (1.0, False, False)]
)
def test_only_a_proved_win_of_who_is_trusted_ends_a_game(value, is_trusted, ends):
    rules = rules_of("pincer")
    sides = {
        "white": Side(Prophet(0.0), Budget(1), is_trusted=True),
        "black": Side(Prophet(value), Budget(1), is_trusted=is_trusted),
    }
    played = play_game(rules, (), sides, 1, stopped)
    assert ((played.turns, played.winner) == (1, "black")) is ends


def test_the_actions_of_a_turn_share_its_time():
    now = [0.0]
    rules, player = rules_of("amazons-8x8"), Idler()

    def clock():
        return now[0]

    play_game(rules, (), dict.fromkeys(rules.roles, Side(player, Budget(9, 2.0))), 1, clock)
    move, fire = player.allowed[:2]
    lasts = []
    for allowance in (move, fire):
        assert allowance.nodes == 9
        now[0] = 0.0
        while not allowance.is_over():
            now[0] += 0.01
        lasts.append(now[0])
    assert lasts == pytest.approx([1.4, 2.0], abs=0.011)


# Results


def game(winner, turns=10):
    return Played(winner, turns, {"white": Effort(1, 0.5, 5), "black": Effort(2, 1.0, 5)})


def test_a_has_white_in_the_first_game_of_a_pair_and_black_in_the_second():
    tally = (
        Tally().plus(Pair((game("white"), game("black")))).plus(Pair((game("white"), game(None))))
    )
    assert tally.results == (0, 1, 3) and tally.pairs == (0, 0, 0, 1, 1)
    assert (tally.games, tally.turns) == (4, 40)
    assert tally.own == tally.theirs == Effort(6, 3.0, 20)
    assert Tally().plus(Pair((game("black"), game("white")))).results == (2, 0, 0)
    assert Tally().own == NOTHING


def test_the_sequential_test_is_sure_of_the_better_and_of_the_worse():
    until = Hypotheses(0, 30)
    better, worse = Tally(pairs=(2, 5, 30, 60, 40)), Tally(pairs=(40, 60, 30, 5, 2))
    assert until.verdict(better) is Verdict.STRONGER and log_ratio(better.pairs, 0, 30) > 2.95
    assert until.verdict(worse) is Verdict.NOT_STRONGER
    assert until.verdict(Tally(pairs=(1, 2, 3, 2, 1))) is Verdict.UNDECIDED


def test_both_sides_are_played_and_each_level_has_its_own_nodes():
    first, second = play_pair(Match("8", "random", "blotto", games=2), 0).games
    assert {role: effort.nodes for role, effort in first.efforts.items()} == {
        "white": 4 * 66,
        "black": 4,
    }
    assert {role: effort.nodes for role, effort in second.efforts.items()} == {
        "white": 4,
        "black": 4 * 66,
    }


def test_the_nodes_of_a_match_take_the_place_of_a_levels_own():
    few = play_pair(Match("8", "random", "pincer", games=2, nodes=300), 0).games[0]
    effort = few.efforts["white"]
    assert 0 < effort.nodes <= 2 * 300 * effort.turns < 2_500_000


def test_processes_change_nothing_but_the_time():
    match = Match("random", "random", "pincer", games=8, seed=2)

    def results(jobs):
        return [[(g.winner, g.turns) for g in pair.games] for pair in pairs(match, jobs)]

    assert results(1) == results(2)


def test_a_match_ends_when_the_test_is_sure_and_else_when_the_games_are_played():
    match = Match("random", "random", "pincer", games=12, seed=2)
    assert [tally.games for tally in tallies(match, 1, None)] == [2, 4, 6, 8, 10, 12]
    # Between hypotheses so far apart every pair that is not level decides.
    ends = list(tallies(match, 1, Hypotheses(-800, 800)))
    sure = [t.games for t in ends if Hypotheses(-800, 800).verdict(t) is not Verdict.UNDECIDED]
    assert sure == [ends[-1].games] and ends[-1].games < 12


# Names of players


@pytest.mark.parametrize(
    ("name", "key", "sentence"),
    [
        ("nobody", "pincer", "“nobody” is not a player"),
        ("material", "pincer", "“material” is not a player"),
        ("random:3", "pincer", "“random:3” is not a player"),
        ("material:0", "pincer", "needs a whole number from 1"),
        ("material:6", "blotto", "“material” does not play Colonel Blotto."),
        ("one-turn", "pincer", "“one-turn” does not play Pincer."),
        ("spiel:300", "amazons", "“spiel” does not play Amazons, free arrow."),
        ("spiel:300", "amazons-8x8", "“spiel” does not play Amazons 8×8."),
    ],
)
def test_a_player_who_cannot_play_this_is_refused_in_one_sentence(name, key, sentence):
    with pytest.raises(NoEntrant) as refused:
        entrant(name, key)
    assert sentence in str(refused.value) and str(refused.value).endswith(".")


def test_openspiel_is_missed_by_name_where_it_is_not_installed(monkeypatch):
    monkeypatch.setattr("games.lab.entrants.find_spec", lambda name: None)
    with pytest.raises(NoEntrant, match="needs pyspiel: install the extra “yardsticks”"):
        entrant("spiel:300", "amazons-10x10")


# OpenSpiel's board, as it was recorded there: random games with the digests of what was allowed


def digest(actions) -> str:
    texts = sorted(" ".join(map(str, numbers_of(action))) for action in actions)
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


@pytest.mark.parametrize("line", SPIEL.read_text().splitlines())
def test_openspiel_allows_what_we_allow_and_ends_as_we_end(line):
    record = json.loads(line)
    rules = rules_of("amazons-10x10")
    state, numbers = rules.start(), iter(record["actions"])
    for index, legal in enumerate(record["legal_sha256"]):
        (role,) = rules.control(state)
        assert digest(rules.choices(state, role)) == legal
        square = square_of(next(numbers))
        action = Fire(square) if index % 2 else Move(square, square_of(next(numbers)))
        state = advance(rules, state, assemble_joint(rules, state, {role: action}))
    ours = rules.view(state, None)["board"].translate(str.maketrans("WBx", "XO#"))
    assert ours == record["final"] and next(numbers, None) is None
    winner = rules.outcome(state).winner
    assert record["returns"] == ([1.0, -1.0] if winner == "white" else [-1.0, 1.0])


def test_openspiel_numbers_squares_row_by_row_from_the_top():
    grid = rules_of("amazons-10x10").grid
    assert number_of(grid.by_name["a10"]) == 0 and number_of(grid.by_name["j1"]) == 99
    assert [number_of(square_of(number)) for number in range(100)] == list(range(100))
