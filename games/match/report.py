"""A match in words and figures."""

from __future__ import annotations

from games.core import Rules, S
from games.match.game import Effort
from games.match.likelihood import elo_of, interval, log_ratio, mean_of
from games.match.series import Match
from games.match.tally import ERROR, Hypotheses, Tally, Verdict


def percent(tally: Tally) -> str:
    """A's score."""
    return f"{100 * mean_of(tally.pairs):.1f} %"


def elo(tally: Tally) -> str:
    """A's Elo difference and its interval."""
    low, high = map(_figure, interval(tally.pairs))
    return f"{_figure(mean_of(tally.pairs))}, 95 % interval {low} to {high}"


def _figure(score: float) -> str:
    """The Elo difference of a score; adding 0 takes the sign from -0."""
    return f"{round(elo_of(score), 0) + 0.0:+.0f}"


def running(tally: Tally, match: Match) -> str:
    """How it stands."""
    lost, drawn, won = tally.results
    return f"{tally.games}/{match.games} {match.a} – {match.b}: +{won} ={drawn} −{lost}"


def _each_go(effort: Effort) -> str:
    return f"{effort.seconds / max(effort.goes, 1):.3f} s a go"


def speed(name: str, effort: Effort) -> str:
    """What a side has spent."""
    seconds = max(effort.seconds, 1e-9)
    return (
        f"{name}: {_each_go(effort)} (processor time), "
        f"{effort.nodes / max(effort.goes, 1):,.0f} nodes a go, {effort.nodes / seconds:,.0f} "
        "nodes a second"
    )


def tested(tally: Tally, until: Hypotheses) -> str:
    """What the sequential test says."""
    ratio = log_ratio(tally.pairs, until.elo0, until.elo1)
    return (
        f"sequential test, Elo {until.elo0:g} against {until.elo1:g}, chance to err {ERROR:g}: "
        f"log-likelihood ratio {ratio:+.2f}, {until.verdict(tally)}"
    )


def summary(match: Match, rules: Rules[S], tally: Tally, until: Hypotheses | None) -> str:
    """The whole match."""
    lost, drawn, won = tally.results
    lines = [
        f"{rules.name} ({match.key}): {match.a} against {match.b}, {tally.games} games from "
        f"{tally.games // 2} openings, each with both sides, seed {match.seed}",
        f"won {won}, drawn {drawn}, lost {lost}: {percent(tally)}",
        f"Elo difference {elo(tally)}",
        *([tested(tally, until)] if until else []),
        speed(match.a, tally.own),
        speed(match.b, tally.theirs),
        f"mean length {tally.goes / max(tally.games, 1):.1f} goes, openings included",
    ]
    return "\n".join(lines)


def step(match: Match, tally: Tally, until: Hypotheses) -> str:
    """One line of a ladder."""
    lost, drawn, won = tally.results
    verdict: Verdict = until.verdict(tally)
    return (
        f"{match.a} – {match.b}  {tally.games:4} games  +{won} ={drawn} −{lost}  "
        f"{percent(tally):>7}  Elo {elo(tally)}  {_each_go(tally.own)}  {verdict}"
    )
