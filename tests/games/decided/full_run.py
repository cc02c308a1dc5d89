"""Compare claims with a solver: python -m tests.games.decided.full_run [POSITIONS] [SEED].

Prints for each rule set how many of the positions a claim decides, and how many of those claims are
false. Positions in which nobody claims are not solved.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Any

from games.blotto import Blotto, Troops, score
from games.blotto import State as BlottoState
from games.catalogue import BLOTTO, RULES
from games.decided import check, find
from tests.games.decided.exhaustive import Form, Solver
from tests.games.decided.small_positions import small_position

FORMS: dict[str, tuple[str, Form]] = {
    "amazons-10x10": ("amazons-10x10", "burning"),
    "amazons-8x8": ("amazons-8x8", "burning"),
    "amazons": ("amazons", "free"),
    "amazons, counted": ("amazons", "counted"),
}


@dataclass
class Tally:
    """Counts of a run."""

    positions: int = 0
    claims: int = 0
    false: int = 0


def run_amazons(name: str, positions: int, seed: int) -> Tally:
    """Count claims and false claims in random small positions of a rule set."""
    key, form = FORMS[name]
    rules: Any = RULES[key]
    random, tally = Random(seed), Tally()
    while tally.positions < positions:
        state = small_position(rules, random)
        if not rules.control(state):
            continue
        tally.positions += 1
        role, is_counted = state.to_move, form == "counted"
        witness = find(rules, state, role, is_counted=is_counted)
        if witness is None:
            continue
        check(rules, state, role, witness, is_counted=is_counted)
        tally.claims += 1
        tally.false += not Solver(rules.write(state).split()[0], form).mover_wins(role)
    return tally


def run_blotto(positions: int, seed: int) -> Tally:
    """Count claims and false claims after random rounds of Blotto."""
    random, tally = Random(seed), Tally()
    splits = [
        each.split for each in BLOTTO.choices(BLOTTO.start(), "white") if isinstance(each, Troops)
    ]
    worst = worst_round(BLOTTO)
    while tally.positions < positions:
        rounds = random.randrange(BLOTTO.rounds)
        state = BlottoState(
            tuple((random.choice(splits), random.choice(splits)) for _ in range(rounds))
        )
        totals = BLOTTO.totals(state)
        lead = totals["white"] - totals["black"]
        is_win = lead + worst * (BLOTTO.rounds - rounds) > 0
        is_claimed = find(BLOTTO, state, "white", is_counted=False) is not None
        tally.positions += 1
        tally.claims += is_claimed
        tally.false += is_claimed and not is_win
    return tally


def worst_round(rules: Blotto) -> int:
    """Return the worst change of the lead in a round, by trying all pairs of splits."""
    splits = [
        each.split for each in rules.choices(rules.start(), "white") if isinstance(each, Troops)
    ]
    return min(
        white - black for own in splits for white, black in (score((own, s)) for s in splits)
    )


def main() -> None:
    """Run all rule sets."""
    positions, seed = (int(word) for word in (*sys.argv[1:], "20000", "1")[:2])
    false = 0
    for name in (*FORMS, "blotto"):
        run = (
            run_blotto(positions, seed) if name == "blotto" else run_amazons(name, positions, seed)
        )
        text = f"{run.positions} positions, {run.claims} claims, {run.false} false"
        print(f"{name}: {text}", flush=True)
        false += run.false
    if false:
        raise SystemExit("a claim is false")


if __name__ == "__main__":
    main()
