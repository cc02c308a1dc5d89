"""The check trusts no finder: whatever forged witness it accepts is true of every game."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.amazons import Amazons, State
from games.catalogue import RULES
from games.core import ROLES, Role
from games.counting import regions_of
from games.decided import Unproved, Witness, check
from games.decided.fill import fill_regions
from games.decided.find import sides_of
from games.grid import names, squares
from games.moves import Fire, Move, Play
from tests.games.decided.exhaustive import Solver
from tests.games.decided.full_run import FORMS
from tests.games.decided.small_positions import small_position

FORGERIES = 40  # of a position


def forged_witnesses(rules: Amazons, state: State, role: Role, random: Random) -> Iterator[Witness]:
    """Witnesses of random squares, lines and bounds, many of them nearly right."""
    regions = list(regions_of(rules.grid, rules.grid.board & ~state.burnt))
    amazons, sides = state.white | state.black, sides_of(rules, state, role)
    mine = state.white if role == "white" else state.black
    for _ in range(FORGERIES):
        sets = []
        for right in (sides.own, sides.open):
            forged = right
            if random.random() < 0.6:
                forged ^= random.choice(regions)
            if random.random() < 0.2:
                forged ^= 1 << random.choice(list(squares(rules.grid.board & ~state.burnt)))
            sets.append(forged)
        own, open_ = sets
        alone = ((each & mine, each & ~amazons) for each in regions_of(rules.grid, own))
        turns = fill_regions(rules.grid, tuple(alone))
        line: list[str] = []
        for origin, target, arrow in turns[: random.randint(0, len(turns))]:
            if rules.split:
                line += [str(Move(origin, target)), str(Fire(arrow))]
            else:
                line.append(str(Play(origin, target, arrow)))
        if random.random() < 0.1:
            line += line[-2:]
        each = 1 + rules.split
        least = random.choice((len(line) // each, (own & ~amazons).bit_count()))
        most = random.choice(((open_ & ~amazons).bit_count(), random.randint(0, 3)))
        kept_line = () if random.random() < 0.3 else tuple(line)
        yield Witness(names(own), names(open_), kept_line, least, most)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_no_accepted_witness_is_false(name: str) -> None:
    key, form = FORMS[name]
    rules: Any = RULES[key]
    random, accepted = Random(13), 0
    for _ in range(500):
        state = small_position(rules, random)
        role = random.choice(ROLES)
        solver = Solver(rules.write(state).split()[0], form)
        for witness in forged_witnesses(rules, state, role, random):
            try:
                check(rules, state, role, witness, is_counted=form == "counted")
            except Unproved:
                continue
            accepted += 1
            assert solver.wins(role, is_to_move=role == state.to_move), (state, witness)
    assert accepted >= 10


def test_a_witness_with_fewer_own_or_more_open_squares_holds_with_its_own_bounds() -> None:
    rules: Any = RULES["amazons"]
    rows = "/".join(["W...xW.x.B", *["xxxxxxxxxx"] * 8, "xxxxxxxxx."])
    state = rules.read(f"{rows} white - 0")
    whole = Witness("a10 b10 c10 d10 f10 g10", "i10 j10", (), 4, 1)
    fewer = replace(whole, own="a10 b10 c10 d10", least=3)
    more = replace(whole, open="j1 i10 j10", most=2)
    for witness in (whole, fewer, more):
        check(rules, state, "white", witness, is_counted=True)
        with pytest.raises(Unproved):
            check(rules, state, "white", replace(witness, most=0), is_counted=True)
