"""Log rule: serial time-outs in games by days rate neither side, unless the loss was proven."""

from collections.abc import Sequence

from games.catalogue import RULES
from games.core import ROLES
from games.decided import find
from games.rating.entries import NotRated
from games.rating.pools import Speed
from ratings.fair_play.incidents import TIME_OUT_WINDOW_MS, is_serial
from ratings.fair_play.rated_log import counted_time_outs
from ratings.rules.reasons import Decided, GameFacts


def why_serial(facts: GameFacts, before: Sequence[Decided]) -> NotRated | None:
    """Return `SERIAL_TIMEOUT` for a third time-out within seven days, else None.

    `before` are the games of the same transaction, whose entries cannot be read yet. A loss that
    the position proves counts.
    """
    loser = timed_out_user(facts)
    if loser is None:
        return None
    logged = counted_time_outs(loser, facts.ended - TIME_OUT_WINDOW_MS)
    here = [
        each.facts.ended
        for each in before
        if each.not_rated is None and timed_out_user(each.facts) == loser
    ]
    if not is_serial(facts.ended, [*(ended for _, ended in logged), *here]):
        return None
    return None if is_proven(facts) else NotRated.SERIAL_TIMEOUT


def timed_out_user(facts: GameFacts) -> int | None:
    """Return the user who lost a game by days on time; None if it ended otherwise."""
    if facts.ending != "time" or facts.pool.speed is not Speed.DAYS or not facts.winner:
        return None
    white, black = facts.users
    return black if facts.winner == "white" else white


def is_proven(facts: GameFacts) -> bool:
    """Return whether the last position proves that the role whose time ran out has lost.

    Where arrows are optional nothing is proved: the facts do not say whether squares are counted.
    """
    rules = RULES.get(facts.rules)
    winner = next((role for role in ROLES if role == facts.winner), None)
    if rules is None or winner is None:
        return False
    return find(rules, rules.read(facts.position), winner, is_counted=False) is not None
