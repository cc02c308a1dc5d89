"""The commands `match` and `ladder` of `python -m games`."""

from __future__ import annotations

import argparse
import sys
from math import inf
from pathlib import Path
from typing import Any, Final

from games.catalogue import rules_of
from games.lab.anchors import anchors_object, write_anchors
from games.lab.entrants import entrant
from games.lab.report import format_score, step, summary
from games.lab.series import Match, openings_of, tallies
from games.lab.tally import Hypotheses, Tally, Verdict
from games.players.levels import LEVEL_COUNT

DEFAULT_GAMES: Final = 100
DEFAULT_LADDER_GAMES: Final = 400


class BadTest(ValueError):
    """Invalid parameters of a sequential test; `str` is an English sentence."""


class CannotWrite(ValueError):
    """The file of anchors cannot be written; `str` is an English sentence."""


def add_match(commands: Any) -> None:
    """Add the arguments of `match` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("match", help="measures one player against another")
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    _add_common(parser, DEFAULT_GAMES)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--nodes", type=_count, metavar="N", help="of both, for one action")
    budget.add_argument(
        "--seconds", type=_seconds, metavar="S", help="of both, for one turn; nodes are unlimited"
    )
    parser.add_argument("--until-sure", action="store_true", help="stop when the test decides")
    parser.add_argument(
        "--trust", action="store_true", help="a level that has proved its win need not play on"
    )
    parser.add_argument(
        "--from-start",
        action="store_true",
        help="no random openings: levels may open with their book",
    )
    parser.set_defaults(run=run_match)


def add_ladder(commands: Any) -> None:
    """Add the arguments of `ladder`."""
    parser = commands.add_parser("ladder", help="measures each level against the one below")
    parser.add_argument("--levels", type=_span, default=(1, 8), metavar="1-8")
    _add_common(parser, DEFAULT_LADDER_GAMES)
    parser.add_argument(
        "--anchors", type=Path, metavar="FILE", help="write ratings of the levels to this file"
    )
    parser.add_argument("--version", type=_count, metavar="YEAR", help="of the anchors")
    parser.add_argument(
        "--counts",
        type=_counts,
        metavar="N,N,N,N,N,N,N",
        help="games of each match for the anchors; without it, --games for each",
    )
    parser.set_defaults(run=run_ladder)


def _add_common(parser: argparse.ArgumentParser, games: int) -> None:
    parser.add_argument("key", metavar="KEY")
    parser.add_argument("--games", type=_even, default=games, metavar="N", help="at most; even")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=_count, default=1, metavar="J", help="processes")
    parser.add_argument("--elo0", type=_elo, default=0.0, metavar="ELO", help="not stronger")
    parser.add_argument("--elo1", type=_elo, default=30.0, metavar="ELO", help="stronger")


def run_match(arguments: argparse.Namespace) -> int:
    """Play and print a match; return the exit status.

    Raises BadTest, NoEntrant, TooFew, UnknownRules, UnknownLevel, NotCompiled.
    """
    match = Match(
        arguments.a,
        arguments.b,
        arguments.key,
        arguments.games,
        arguments.seed,
        arguments.nodes,
        arguments.seconds,
        arguments.trust,
        arguments.from_start,
    )
    until = _hypotheses(arguments) if arguments.until_sure else None
    tally = _play_match(match, arguments.jobs, until)
    print(summary(match, rules_of(match.key), tally, until))
    return 0


def run_ladder(arguments: argparse.Namespace) -> int:
    """Play all pairs of neighbours, a line each; return 1 if a level is not stronger, else 0.

    With `--anchors`, write the file and return 0. Raises what `run_match` raises, and CannotWrite.
    """
    if arguments.anchors is not None:
        return _measure_anchors(arguments)
    low, high = arguments.levels
    for level in range(low, high + 1):
        entrant(str(level), arguments.key)
    until = _hypotheses(arguments)
    status = 0
    for level in range(low, high):
        match = Match(str(level + 1), str(level), arguments.key, arguments.games, arguments.seed)
        tally = _play_match(match, arguments.jobs, until)
        print(step(match, tally, until), flush=True)
        if until.verdict(tally) is not Verdict.STRONGER:
            status = 1
    return status


def _measure_anchors(arguments: argparse.Namespace) -> int:
    """Play all games of all pairs of neighbours and write the anchors; return 0.

    No match ends early: results up to a point that depends on them would be biased.
    """
    if arguments.levels != (1, LEVEL_COUNT) or arguments.version is None:
        raise BadTest(f"Anchors are of levels 1-{LEVEL_COUNT}, and need a --version.")
    pairs = LEVEL_COUNT - 1
    counts = arguments.counts or (arguments.games,) * pairs
    measured, until = [], _hypotheses(arguments)
    for level, games in enumerate(counts, 1):
        match = Match(str(level + 1), str(level), arguments.key, games, arguments.seed)
        measured.append(_play_match(match, arguments.jobs, None))
        print(step(match, measured[-1], until), flush=True)
    command = (
        f"python -m games ladder {arguments.key} --seed {arguments.seed} "
        f"--counts {','.join(map(str, counts))} --version {arguments.version} --anchors FILE"
    )
    content = anchors_object(arguments.key, arguments.version, command, measured)
    try:
        write_anchors(arguments.anchors, content)
    except OSError as error:
        raise CannotWrite(f"{arguments.anchors}: {error.strerror or error}.") from None
    return 0


def _play_match(match: Match, jobs: int, until: Hypotheses | None) -> Tally:
    """Play the whole match, with progress on stderr."""
    for name in (match.a, match.b):
        entrant(name, match.key)
    openings_of(match)
    tally = Tally()
    for tally in tallies(match, jobs, until):
        print(format_score(tally, match), file=sys.stderr, flush=True)
    return tally


def _hypotheses(arguments: argparse.Namespace) -> Hypotheses:
    """Return the test's hypotheses, None without a test. Raises BadTest."""
    if arguments.elo0 >= arguments.elo1:
        raise BadTest("A sequential test needs an --elo1 above its --elo0.")
    return Hypotheses(arguments.elo0, arguments.elo1)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):
        raise argparse.ArgumentTypeError("a whole number from 1 is needed")
    return int(text)


def _even(text: str) -> int:
    number = _count(text)
    if number % 2:
        raise argparse.ArgumentTypeError(
            "an even number is needed: every opening is played with both sides"
        )
    return number


def _counts(text: str) -> tuple[int, ...]:
    counts = tuple(map(_even, text.split(",")))
    if len(counts) != LEVEL_COUNT - 1:
        raise argparse.ArgumentTypeError(f"{LEVEL_COUNT - 1} even numbers are needed")
    return counts


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e6:
        raise argparse.ArgumentTypeError("a time of more than 0 seconds is needed")
    return seconds


def _elo(text: str) -> float:
    try:
        elo = float(text)
    except ValueError:
        elo = inf
    if not abs(elo) <= 2000.0:
        raise argparse.ArgumentTypeError("an Elo difference from -2000 to 2000 is needed")
    return elo


def _span(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not dash or _count(low) >= _count(high):
        raise argparse.ArgumentTypeError("two levels are needed, the lower first, as in 1-8")
    return int(low), int(high)
