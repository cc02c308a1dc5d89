"""The verdict on a position in the review of a game, as the pages' engine finds it.

`static/js/analysis/review.js` searches a position on one rung after the other until its value is
proved. The same rungs, seed and search here give the same verdict to the bit.
"""

from __future__ import annotations

from typing import Any, Final

from games.core import Rules
from games.players.analysis.lines import best_lines
from games.reviews import RUNGS, SEED, Verdict, first_turn

NOTHING_FOUND: Final = Verdict(0.0, (), False)


def judge(rules: Rules[Any], state: Any, nodes: int) -> Verdict:
    """Return the verdict of a review whose last rung has `nodes`, one of `RUNGS`.

    The state must be at the start of a turn, with one role in control.
    """
    (role,) = rules.control(state)
    verdict = NOTHING_FOUND
    for rung in RUNGS[: RUNGS.index(nodes) + 1]:
        lines = best_lines(rules, state, role, 1, rung, SEED)
        if lines:
            (line,) = lines
            best = first_turn(rules, state, line.actions)
            verdict = Verdict(line.value, best, line.is_proved)
        else:
            verdict = NOTHING_FOUND
        if verdict.is_proved:
            break
    return verdict
