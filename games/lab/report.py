"""Text reports about a match."""

from __future__ import annotations

from games.core import Rules, S
from games.lab.game import Effort
from games.lab.likelihood import elo_of, interval, log_ratio, mean_of
from games.lab.series import Match
from games.lab.tally import ERROR_SHARE, Hypotheses, Tally, Verdict


def percent(tally: Tally) -> str:
    """Return A's score in percent."""
    return f"{100 * mean_of(tally.pairs):.1f} %"


def elo(tally: Tally) -> str:
    """Return A's Elo difference and its interval."""
    low, high = map(_figure, interval(tally.pairs))
    return f"{_figure(mean_of(tally.pairs))}, 95 % interval {low} to {high}"


def _figure(score: float) -> str:
    """Return the Elo difference of a score; adding 0 removes the sign of -0."""
    return f"{round(elo_of(score), 0) + 0.0:+.0f}"


def format_score(tally: Tally, match: Match) -> str:
    """Return the score so far."""
    lost, drawn, won = tally.results
    return f"{tally.games}/{match.games} {match.a} – {match.b}: +{won} ={drawn} −{lost}"


def _each_turn(effort: Effort) -> str:
    return f"{effort.seconds / max(effort.turns, 1):.3f} s a turn"


def format_speed(name: str, effort: Effort) -> str:
    """Return the time and nodes that a side has spent."""
    seconds = max(effort.seconds, 1e-9)
    return (
        f"{name}: {_each_turn(effort)} (processor time), "
        f"{effort.nodes / max(effort.turns, 1):,.0f} nodes a turn, {effort.nodes / seconds:,.0f} "
        "nodes a second"
    )


def format_test(tally: Tally, until: Hypotheses) -> str:
    """Return the state of the sequential test."""
    ratio = log_ratio(tally.pairs, until.elo0, until.elo1)
    return (
        f"sequential test, Elo {until.elo0:g} against {until.elo1:g}, "
        f"chance to err {ERROR_SHARE:g}: log-likelihood ratio {ratio:+.2f}, {until.verdict(tally)}"
    )


def summary(match: Match, rules: Rules[S], tally: Tally, until: Hypotheses | None) -> str:
    """Return the report about the whole match."""
    lost, drawn, won = tally.results
    lines = [
        f"{rules.name} ({match.key}): {match.a} against {match.b}, {tally.games} games from "
        f"{_starts(match, tally)}, seed {match.seed}",
        f"won {won}, drawn {drawn}, lost {lost}: {percent(tally)}",
        f"Elo difference {elo(tally)}",
        *([format_test(tally, until)] if until else []),
        format_speed(match.a, tally.own),
        format_speed(match.b, tally.theirs),
        f"mean length {tally.turns / max(tally.games, 1):.1f} turns, openings included",
    ]
    return "\n".join(lines)


def _starts(match: Match, tally: Tally) -> str:
    """Return where the games begin."""
    if match.from_start:
        return "the start, as many with each side"
    return f"{tally.games // 2} openings, each with both sides"


def step(match: Match, tally: Tally, until: Hypotheses) -> str:
    """Return one line of a ladder."""
    lost, drawn, won = tally.results
    verdict: Verdict = until.verdict(tally)
    return (
        f"{match.a} – {match.b}  {tally.games:4} games  +{won} ={drawn} −{lost}  "
        f"{percent(tally):>7}  Elo {elo(tally)}  {_each_turn(tally.own)}  {verdict}"
    )
