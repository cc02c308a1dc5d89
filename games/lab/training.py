"""The commands `self-play` and `fit-evaluation` of `python -m games`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

from games.players.compiled import IS_COMPILED
from games.players.levels import NotCompiled

KEYS: Final = ("amazons-8x8", "amazons-10x10")  # where every turn burns a cell
DIGITS: Final = 4  # of a fitted weight


class BadGames(ValueError):
    """A file holds no games of self-play; `str` is an English sentence."""


def add_self_play(commands: Any) -> None:
    """Add the arguments of `self-play` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("self-play", help="plays Amazons against itself, for a fit")
    parser.add_argument("key", metavar="KEY", choices=KEYS)
    parser.add_argument("file", metavar="FILE", type=Path, help="to write, .npz")
    parser.add_argument("--games", type=_count, default=1000, metavar="N")
    parser.add_argument("--nodes", type=_count, default=200, metavar="N", help="for one action")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=_count, default=1, metavar="J", help="processes")
    parser.set_defaults(run=run_self_play)


def add_fit(commands: Any) -> None:
    """Add the arguments of `fit-evaluation`."""
    parser = commands.add_parser("fit-evaluation", help="fits the evaluation of Amazons to games")
    parser.add_argument("key", metavar="KEY", choices=KEYS)
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="of self-play")
    parser.set_defaults(run=run_fit)


def run_self_play(arguments: argparse.Namespace) -> int:
    """Play and write games; return the exit status. Raises NotCompiled and BadGames."""
    from games.lab.self_play import SelfPlay, play_many, write

    if not IS_COMPILED:
        raise NotCompiled("Self-play needs numba.")
    series = SelfPlay(arguments.key, arguments.nodes, arguments.seed)
    records = []
    for record in play_many(series, arguments.games, arguments.jobs):
        records.append(record)
        print(f"\r{len(records)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    try:
        write(arguments.file, records)
    except OSError as error:
        raise BadGames(f"{arguments.file}: {error.strerror or error}.") from None
    return 0


def run_fit(arguments: argparse.Namespace) -> int:
    """Print fitted weights and losses as JSON; return 0. Raises BadGames."""
    from games.lab.fit_evaluation import fit_both, losses, samples_of
    from games.players.amazons.general_weights import WEIGHTS

    try:
        samples = samples_of(arguments.key, arguments.files)
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
        raise BadGames(f"These are no games of self-play: {error}.") from None
    if not samples.is_test.any() or samples.is_test.all():
        raise BadGames("These are too few games.")
    weights = fit_both(samples)
    told = {
        "positions": len(samples.result),
        "loss": {"general": losses(samples, WEIGHTS), "fitted": losses(samples, weights)},
        "weights": [[round(float(each), DIGITS) for each in row] for row in weights],
    }
    print(json.dumps(told, indent=1))
    return 0


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 7 and int(text)):
        raise argparse.ArgumentTypeError("a whole number from 1 is needed")
    return int(text)
