"""Play against the habits of an opponent and stay safe: the loss against the best reply is bounded.

The value of a situation is V(left, lead), that of the match with best play of both. A player begins
with a budget B of what it may lose against the best reply. In each round it plays a mix

    m = (1 - s) equilibrium + s reply,

with the reply good against what it believes of the opponent, and the largest share s for which

    E_m[V(next) | a] >= V - b    for every split a of the opponent,                           (1)

where b is the rest of the budget. After the opponent has played a, the budget is

    b' = E_m[V(next) | a] - (V - b) >= 0.                                                     (2)

So a mistake of the opponent, or a reply to a correct belief, adds its expected gain to the budget,
independent of the random draw of the own split.

Claim: against any opponent the expected result is at least V(5, 0) - B = -B, so that the
exploitability is at most B. Proof by induction over the rounds left, for the statement "from here
on at least V - b": without rounds left the result is V, and b >= 0. Otherwise, whatever split a
the opponent plays, the rest of the match is worth at least E_m[V(next) - b' | a], since b'
depends on a alone; by (2) that is V - b. The opponent's choice may depend on all rounds so far,
and mixing over a changes nothing. With s = 0, (1) holds because the equilibrium's mix earns V
against every split, so that a share exists. The kept table is rounded, which may cost up to 1e-5
more in each round.

Sam Ganzfried, Tuomas Sandholm, "Safe Opponent Exploitation", ACM Transactions on Economics and
Computation 3(2), 2015: there the method is "risk what you've won in expectation".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.players.blotto import equilibrium
from games.players.blotto.predictions import History, belief
from games.players.blotto.splits import OUTCOME, ROUNDS, SPLITS, Mix

ALL: Final = range(len(SPLITS))
REPLY_SIZES: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # how many of the best splits are mixed
ROUNDING: Final = 1e-9  # of the table, which is rounded; a budget below it is none
MIN_GAIN: Final = 1e-6  # expected gain for which it is worth to leave the equilibrium


@dataclass(frozen=True, slots=True)
class SafePlay:
    """The mix of a round: the equilibrium's share, and that of the reply."""

    share: float  # s, of the reply
    reply: Mix
    mix: Mix  # m
    budget: float  # b
    worth: tuple[float, ...]  # E_m[V(next) | a] by the opponent's split a


@lru_cache(maxsize=4096)
def safe_play(history: History, budget: float, habits: str) -> SafePlay:
    """Return the mix of the round after a history, for a player that began with a budget."""
    left, lead = ROUNDS - len(history), sum(OUTCOME[own][theirs] for own, theirs in history)
    rest = budget
    if history:
        *_, (_, theirs) = history
        before = safe_play(history[:-1], budget, habits)
        then = lead - OUTCOME[history[-1][0]][theirs]
        rest = before.worth[theirs] - (equilibrium.value(left + 1, then) - before.budget)
    return _best_play(left, lead, max(0.0, rest), belief(history, habits))


def _best_play(left: int, lead: int, budget: float, believed: Mix) -> SafePlay:
    """Return the play that earns most against the belief among replies of several sizes."""
    base, value = equilibrium.mix(left, lead), equilibrium.value(left, lead)
    steady, wins = _steady(left, lead), _wins(left, lead)
    seen = [(theirs, chance) for theirs, chance in enumerate(believed) if chance]
    gains = [sum(chance * wins[OUTCOME[own][theirs]] for theirs, chance in seen) for own in ALL]
    expected = sum(chance * steady[theirs] for theirs, chance in seen)
    order = sorted(ALL, key=lambda own: (-gains[own], own))
    share, size, most = 0.0, 0, MIN_GAIN
    total, gained = [0.0] * len(SPLITS), 0.0  # of the best splits so far
    for count, own in enumerate(order[: REPLY_SIZES[-1]], 1):
        total = [sum_ + wins[sign] for sum_, sign in zip(total, OUTCOME[own], strict=True)]
        gained += gains[own]
        if count in REPLY_SIZES:
            possible = _largest_share(steady, [sum_ / count for sum_ in total], value - budget)
            gain = possible * (gained / count - expected)
            if gain > most:
                share, size, most = possible, count, gain
    if not size:
        return SafePlay(0.0, base, base, budget, steady)
    chosen = set(order[:size])
    reply = tuple(1.0 / size if own in chosen else 0.0 for own in ALL)
    mix = tuple((1.0 - share) * a + share * b for a, b in zip(base, reply, strict=True))
    return SafePlay(share, reply, mix, budget, _worth(left, lead, mix))


def _wins(left: int, lead: int) -> tuple[float, float, float]:
    """Return V(next) for the outcomes 0, 1 and -1 of the round, so that -1 is the last index."""
    after = [equilibrium.value(left - 1, lead + sign) for sign in (0, 1, -1)]
    return after[0], after[1], after[2]


@lru_cache(maxsize=64)
def _steady(left: int, lead: int) -> tuple[float, ...]:
    """Return E[V(next) | a] of the equilibrium's mix."""
    return _worth(left, lead, equilibrium.mix(left, lead))


def _worth(left: int, lead: int, mix: Mix) -> tuple[float, ...]:
    """Return E[V(next) | a] of a mix for each split a of the opponent."""
    wins = _wins(left, lead)
    played = [(own, chance) for own, chance in enumerate(mix) if chance]
    return tuple(
        sum(chance * wins[OUTCOME[own][theirs]] for own, chance in played) for theirs in ALL
    )


def _largest_share(steady: Sequence[float], worth: Sequence[float], floor: float) -> float:
    """Return the largest share of a reply for which no split of the opponent earns too much."""
    share = 1.0
    for safe, risky in zip(steady, worth, strict=True):
        if risky < safe:
            share = min(share, max(0.0, safe - floor - ROUNDING) / (safe - risky))
    return share
