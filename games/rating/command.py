"""The command `rate` of `python -m games`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from games.rating.entry_parsing import BadEntry
from games.rating.recompute import Differs, recompute


def add_rate(commands: Any) -> None:
    """Add the arguments of `rate` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("rate", help="recomputes a public file of ratings")
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.set_defaults(run=run_rate)


def run_rate(arguments: argparse.Namespace) -> int:
    """Print a line for each file; return 1 if a number differs, else 0. Raises BadEntry."""
    return max(_recompute(path) for path in arguments.files)


def _recompute(path: Path) -> int:
    try:
        with path.open(encoding="utf-8-sig") as lines:
            result = recompute(lines)
    except OSError as error:
        raise BadEntry(f"{path}: {error.strerror or error}.") from None
    except UnicodeError:
        raise BadEntry(f"{path} is not a text in UTF-8.") from None
    except BadEntry as error:
        raise BadEntry(f"{path}: {error}") from None
    except Differs as error:
        print(f"{path}: {error}")
        return 1
    generation, games, rated = result.header.generation, result.games, result.rated
    print(f"{path}: generation {generation}, {games} games, {rated} of them rated: right")
    return 0
