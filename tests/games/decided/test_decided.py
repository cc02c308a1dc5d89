"""Claims that a game is decided: their proofs and refusals; no accepted claim is false."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.amazons import Amazons
from games.blotto import State as BlottoState
from games.catalogue import AMAZONS_8X8, BLOTTO, PINCER, RULES
from games.core import Role
from games.decided import (
    BadWitness,
    Flaw,
    Unproved,
    Witness,
    as_json,
    check,
    find,
    has_claims,
    parse,
    proven_facts_of,
)
from games.decided.check import bound_of
from games.decided.fill import fill_regions
from games.decided.find import sure_turns
from games.grid import grid, names
from tests.games.decided.exhaustive import Solver
from tests.games.decided.full_run import FORMS, run_amazons, run_blotto, worst_round
from tests.games.decided.small_positions import small_position

SMALL = Amazons("small", "Small", grid(6, 4), split=True, white="a1", black="f4")
FREE = Amazons("free", "Free", grid(6, 4), split=False, white="a1", black="f4")
# White has three squares to itself, black two.
PARTED = ("W..xxx", "x.xxxx", "xxxxxx", "xxx..B")
LEFT_OUT = object()


def position(rules: Amazons, *rows: str, to_move: Role = "white") -> Any:
    return rules.read(f"{'/'.join(rows)} {to_move} - 0")


def found(rules: Any, state: Any, role: Role = "white", *, is_counted: bool = False) -> Any:
    return find(rules, state, role, is_counted=is_counted)


def flaw_of(rules: Any, state: Any, witness: Witness, role: Role = "white", **options: bool) -> Any:
    """The flaw of a claim; None if it holds."""
    try:
        check(rules, state, role, witness, **{"is_counted": False, **options})
    except Unproved as unproved:
        return unproved.flaw
    return None


def test_more_sure_turns_than_the_opponent_has_squares_decide() -> None:
    witness = found(SMALL, position(SMALL, *PARTED))
    assert (witness.least, witness.most) == (3, 2)
    assert (witness.own, witness.open) == ("b3 a4 b4 c4", "d1 e1 f1")
    assert len(witness.line) == 6


def test_equally_many_prove_nothing_for_the_role_to_move() -> None:
    state = position(SMALL, "W..xxx", "xxxxxx", "xxxxxx", "xxx..B")
    assert found(SMALL, state) is None
    assert found(SMALL, replace(state, to_move="black"), "black") is None


def test_an_amazon_is_no_wall() -> None:
    held = position(SMALL, "B.W...", "xxxxxx", "xxxxxx", "xxxxxx")
    assert found(SMALL, held) is None  # the amazon may leave: the squares behind it are shared


def test_shared_squares_count_for_the_opponent() -> None:
    rows = ("W...xx", "xxxxxx", "WB.xxx", "xxxxxB")
    assert found(SMALL, position(SMALL, *rows)).most == 1
    more = ("W...xx", "xxxxxx", "WB...B", "xxxxxx")
    assert found(SMALL, position(SMALL, *more)) is None


def test_several_regions_add_up() -> None:
    state = position(SMALL, "W..x.W", "xxxxxx", "xxxxxx", "xxx..B")
    witness = found(SMALL, state)
    assert (witness.own, witness.least, witness.most) == ("a4 b4 c4 e4 f4", 3, 2)


def test_a_line_is_no_longer_than_the_proof_needs() -> None:
    state = position(SMALL, "W.....", "......", "xxxxxx", "xxxx.B")
    witness = found(SMALL, state)
    assert (witness.least, len(witness.line), witness.most) == (2, 4, 1)


def test_with_the_free_arrow_nothing_is_decided_while_the_opponent_has_a_square() -> None:
    state = position(FREE, *PARTED)
    assert found(FREE, state) is None
    shut_in = position(FREE, "W..xxx", "x.xxxx", "xxxxxx", "xxxxxB")
    assert (found(FREE, shut_in).least, found(FREE, shut_in).most) == (1, 0)
    turn = found(FREE, shut_in).line * 2  # no line of turns helps: none of them needs an arrow
    longer = replace(found(FREE, shut_in), line=turn, least=2)
    assert flaw_of(FREE, shut_in, longer) == Flaw.WRONG_LINE


def test_a_game_that_counts_is_decided_by_own_squares() -> None:
    state = position(FREE, *PARTED)
    witness = found(FREE, state, is_counted=True)
    assert (witness.least, witness.most, witness.line) == (3, 2, ())
    assert flaw_of(FREE, state, witness, is_counted=False) == Flaw.WRONG_COUNT
    even = position(FREE, "W..xxx", "xxxxxx", "xxxxxx", "xxx..B")
    assert found(FREE, even, is_counted=True) is None


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        ({"own": "b3 b4 c4"}, Flaw.WRONG_SQUARES),  # without the amazon, which may move away
        ({"own": "b3 a4 b4"}, Flaw.WRONG_SQUARES),
        ({"own": "b3 a4 b4 c4 d1 e1 f1"}, Flaw.WRONG_SQUARES),
        ({"own": "a4 b3 b4 c4"}, Flaw.WRONG_SQUARES),  # in another order
        ({"own": "b3 a4 b4 c4 c4"}, Flaw.WRONG_SQUARES),
        ({"own": "b3 a4 b4 c4 z9"}, Flaw.WRONG_SQUARES),
        ({"own": "b3 a4 b4 c4 d4"}, Flaw.WRONG_SQUARES),  # burnt
        ({"own": ""}, Flaw.WRONG_LINE),
        ({"open": ""}, Flaw.WRONG_SQUARES),
        ({"open": "d1 e1"}, Flaw.WRONG_SQUARES),
        ({"open": "e1 f1"}, Flaw.WRONG_SQUARES),
        ({"most": 1}, Flaw.WRONG_COUNT),
        ({"least": 4}, Flaw.WRONG_COUNT),
        ({"line": ()}, Flaw.WRONG_COUNT),
        ({"line": ("move 1 4 2 4",)}, Flaw.WRONG_LINE),
        ({"line": ("move 6 1 5 1", "fire 6 1")}, Flaw.WRONG_LINE),
        ({"line": ("move 1 4 2 4", "move 2 4 3 4")}, Flaw.WRONG_LINE),
        ({"line": ("move 1 4 2 4", "fire 4 4")}, Flaw.WRONG_LINE),
        ({"line": ("fire 2 4",)}, Flaw.WRONG_LINE),
        ({"line": ("nonsense",)}, Flaw.WRONG_LINE),
        ({"line": ("noop",) * 201}, Flaw.WRONG_LINE),
        ({"line": ("move 1 4 2 4", "fire 1 4"), "least": 1}, Flaw.NOT_ENOUGH),
    ],
)
def test_a_changed_witness_is_refused(change: dict[str, Any], flaw: Flaw) -> None:
    state = position(SMALL, *PARTED)
    witness = found(SMALL, state)
    assert flaw_of(SMALL, state, witness) is None
    assert flaw_of(SMALL, state, replace(witness, **change)) == flaw


def test_a_turn_in_a_shared_region_is_not_sure() -> None:
    state = position(SMALL, "W...xx", "xxxxxx", "WB.xxx", "xxxxxB")
    witness = found(SMALL, state)
    line = ("move 2 2 3 2", "fire 2 2", *witness.line[2:])
    assert flaw_of(SMALL, state, replace(witness, line=line)) == Flaw.WRONG_LINE


def test_squares_without_an_amazon_are_nobodys() -> None:
    state = position(FREE, "W..xxx", "xxxxx.", "xxxx..", "xB.x..", to_move="black")
    witness = found(FREE, state, is_counted=True)
    assert witness.own == "a4 b4 c4"
    more = replace(witness, own="e1 f1 e2 f2 f3 a4 b4 c4", least=7)
    assert flaw_of(FREE, state, more, is_counted=True) == Flaw.WRONG_SQUARES


def test_as_many_turns_are_enough_if_the_opponent_is_to_move() -> None:
    state = position(SMALL, "W..xxx", "xxxxxx", "xxxxxx", "xxx..B", to_move="black")
    witness = found(SMALL, state)
    assert (witness.least, witness.most) == (2, 2)
    assert flaw_of(SMALL, replace(state, to_move="white"), witness) == Flaw.NOT_ENOUGH


def test_a_role_proves_nothing_before_its_own_shot() -> None:
    state = position(SMALL, *PARTED)
    witness = found(SMALL, state)
    moved = SMALL.play(state, {"white": SMALL.parse("move 1 4 2 4")})
    assert flaw_of(SMALL, moved, witness) == Flaw.MID_TURN
    assert found(SMALL, moved) is None


def test_nothing_is_proved_after_the_end() -> None:
    state = position(SMALL, "W..xxx", "xxxxxx", "xxxxxx", "xxxxxB", to_move="black")
    assert found(SMALL, state) is None
    witness = found(SMALL, replace(state, to_move="white"))
    assert flaw_of(SMALL, state, witness) == Flaw.OVER


def test_pincer_has_no_claims() -> None:
    assert [key for key, rules in RULES.items() if not has_claims(rules)] == ["pincer"]
    assert found(PINCER, PINCER.start()) is None
    assert flaw_of(PINCER, PINCER.start(), Witness("", "", (), 1, 0)) == Flaw.NO_CLAIMS


def test_no_game_is_decided_at_its_start() -> None:
    for key, rules in RULES.items():
        for is_counted in (False, True):
            assert found(rules, rules.start(), is_counted=is_counted) is None, key


def test_a_round_of_blotto_turns_two_points_at_most() -> None:
    assert worst_round(BLOTTO) == -bound_of(BLOTTO) == -2


AHEAD, LEVEL = ((5, 5, 0), (1, 1, 8)), ((4, 3, 3), (4, 3, 3))  # by two points, and by none


@pytest.mark.parametrize(
    ("rounds", "is_decided"),
    [
        ((AHEAD, AHEAD, LEVEL, LEVEL), True),  # four points ahead, two can turn
        ((AHEAD, LEVEL, LEVEL, LEVEL), False),  # two ahead, two can turn
        ((AHEAD, AHEAD, LEVEL), False),
        ((AHEAD, AHEAD, AHEAD), True),
        ((AHEAD,) * 5, False),  # it is over
    ],
)
def test_blotto_is_decided_by_more_than_twice_the_rounds_left(
    rounds: Any, is_decided: bool
) -> None:
    state = BlottoState(rounds)
    assert (found(BLOTTO, state) is not None) is is_decided
    assert found(BLOTTO, state, "black") is None


@given(st.integers(0, 2**32), st.sampled_from(sorted(FORMS)))
def test_what_the_log_keeps_is_the_witness(seed: int, name: str) -> None:
    key, form = FORMS[name]
    rules: Any = RULES[key]
    state = small_position(rules, Random(seed))
    witness = found(rules, state, state.to_move, is_counted=form == "counted")
    if witness is not None:
        kept = parse(json.loads(json.dumps(as_json(witness))))
        assert kept == witness
        check(rules, state, state.to_move, kept, is_counted=form == "counted")


@pytest.mark.parametrize(
    "change",
    [
        {"own": ["a1"]},
        {"open": "a" * 401},
        {"line": "noop"},
        {"line": [1]},
        {"line": ["noop"] * 201},
        {"least": True},
        {"most": 1.0},
        {"more": 1},
        {"least": LEFT_OUT},
    ],
)
def test_other_json_is_no_witness(change: dict[str, Any]) -> None:
    value = {**as_json(Witness("", "", (), 1, 0)), **change}
    with pytest.raises(BadWitness):
        parse({name: part for name, part in value.items() if part is not LEFT_OUT})
    with pytest.raises(BadWitness):
        parse([value])


def test_a_large_region_is_filled_to_the_last_square() -> None:
    rows = ("........", ".W....W.", "........", "........", "W......W", "xxxxxxxx", "xxxxxxxx")
    state = position(AMAZONS_8X8, *rows, "BBBB..xx")
    assert len(found(AMAZONS_8X8, state).line) == 2 * 3
    region = state.white, AMAZONS_8X8.grid.board & ~(state.white | state.black | state.burnt)
    whole = region[1] & ~AMAZONS_8X8.grid.set_of("e1 f1")
    assert len(fill_regions(AMAZONS_8X8.grid, ((region[0], whole),))) == 36


def test_the_solver_knows_who_outlasts_whom() -> None:
    even = "W..xxx/xxxxxx/xxxxxx/xxx..B"
    assert not Solver(even, "burning").mover_wins("white")
    assert Solver("/".join(PARTED), "burning").mover_wins("white")
    assert not Solver("/".join(PARTED), "free").mover_wins("white")
    assert Solver("/".join(PARTED), "counted").mover_wins("white")
    assert not Solver(even, "counted").mover_wins("white")


@pytest.mark.parametrize("name", sorted(FORMS))
def test_no_claim_is_false(name: str) -> None:
    run = run_amazons(name, 60, seed=7)
    assert (run.false, run.claims > 0) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FORMS))
def test_no_claim_in_more_positions_is_false(name: str) -> None:
    run = run_amazons(name, 800, seed=8)
    assert run.false == 0
    assert run.claims > 20


def test_no_claim_in_blotto_is_false() -> None:
    run = run_blotto(2_000, seed=7)
    assert (run.false, run.claims > 0) == (0, True)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_who_has_won_has_won_whoever_is_to_move(name: str) -> None:
    key, form = FORMS[name]
    rules: Any = RULES[key]
    random, decided = Random(9), 0
    for _ in range(60):
        state = small_position(rules, random)
        facts = proven_facts_of(rules, state, is_counted=form == "counted")
        if facts.winner is not None:
            decided += 1
            solver = Solver(rules.write(state).split()[0], form)
            is_to_move = facts.winner == state.to_move
            assert solver.wins(facts.winner, is_to_move=is_to_move)
    assert decided > 0


def test_a_standing_has_the_sure_turns_of_both_sides() -> None:
    state = position(SMALL, "W..xB.", "x.xxx.", "xxxxx.", "WB..xx", to_move="black")
    facts = proven_facts_of(SMALL, state, is_counted=False)
    assert (facts.sure, facts.most) == ((3, 3), (5, 5))
    assert [(each.role, names(each.squares), each.sure) for each in facts.regions] == [
        (None, "c1 d1", 0), ("black", "f2 f3 f4", 3), ("white", "b3 b4 c4", 3),
    ]  # fmt: skip
    assert facts.winner is None
    moved = SMALL.play(position(SMALL, *PARTED), {"white": SMALL.parse("move 1 4 2 4")})
    assert proven_facts_of(SMALL, moved, is_counted=False).winner is None


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_sure_turns_of_the_regions_make_those_of_a_side(name: str) -> None:
    key, form = FORMS[name]
    rules: Any = RULES[key]
    random = Random(11)
    for _ in range(80):
        state = small_position(rules, random)
        facts = proven_facts_of(rules, state, is_counted=form == "counted")
        for role, sure in zip(("white", "black"), facts.sure, strict=True):
            own = [each for each in facts.regions if each.role == role]
            assert sum(each.sure for each in own) == sure
            assert all(0 <= each.sure <= each.squares.bit_count() for each in own)
            if rules.split:
                assert sure == len(sure_turns(rules, state, role))
        assert not any(each.sure for each in facts.regions if each.role is None)
