"""The command `opening-book` of `python -m games`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from games.players.compiled import IS_COMPILED
from games.players.levels import NotCompiled

if TYPE_CHECKING:
    from games.lab.book_searches import Found

KEYS: Final = ("amazons", "amazons-10x10", "amazons-8x8")


class CannotWriteBook(ValueError):
    """The book cannot be written; `str` is an English sentence."""


def add_opening_book(commands: Any) -> None:
    """Add the arguments of `opening-book` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("opening-book", help="makes the opening book of Amazons")
    parser.add_argument("key", metavar="KEY", choices=KEYS)
    parser.add_argument("--simulations", type=_count, default=20_000, metavar="N", help="a search")
    parser.add_argument("--turns", type=_count, default=4, metavar="D", help="of both sides")
    parser.add_argument(
        "--tolerance", type=_share, default=0.02, metavar="T", help="in winning chance"
    )
    parser.add_argument("--positions", type=_count, default=200, metavar="P", help="at most")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=_count, default=1, metavar="J", help="processes")
    parser.add_argument(
        "--searches",
        type=Path,
        metavar="FILE",
        help="keep finished searches, to go on after an end",
    )
    parser.add_argument("--to", type=Path, metavar="FILE", help="instead of the book of level 8")
    parser.set_defaults(run=run_opening_book)


def run_opening_book(arguments: argparse.Namespace) -> int:
    """Make and write the book of a rule set; return 0.

    Raises NotCompiled, CannotWriteBook, games.lab.book_searches.BadSearches.
    """
    from games.lab.book_searches import Effort, SearchFile
    from games.lab.opening_book import Terms, make_positions, mapper, searcher, write_book
    from games.players.amazons.opening_book import FILE, weights_digest

    if not IS_COMPILED:
        raise NotCompiled("The opening book needs numba.")
    key = arguments.key
    effort = Effort(key, arguments.simulations, arguments.seed, weights_digest(key))
    terms = Terms(arguments.turns, arguments.tolerance, arguments.positions)
    file = SearchFile(arguments.searches, effort) if arguments.searches else None
    known = file.found if file else {}
    note = _noting(known, file.append if file else None)
    with mapper(arguments.jobs) as imap:
        positions = make_positions(key, terms, searcher(effort, known, imap, note))
    print(file=sys.stderr)
    command = (
        f"python -m games opening-book {key} --simulations {effort.simulations} "
        f"--turns {terms.turns} --tolerance {terms.tolerance:g} --positions {terms.positions} "
        f"--seed {effort.seed}"
    )
    path = arguments.to or FILE
    entry = {"command": command, "seed": effort.seed, "positions": positions}
    try:
        write_book(path, key, entry)
    except OSError as error:
        raise CannotWriteBook(f"{path}: {error.strerror or error}.") from None
    turns = sum(map(len, positions.values()))
    print(f"{path}: {len(positions)} positions with {turns} turns; {len(known)} searches.")
    return 0


def _noting(
    known: dict[str, Found], append: Callable[[str, Found], None] | None
) -> Callable[[str, Found], None]:
    """Return a callback that stores a finished search and shows the progress on stderr."""

    def note(text: str, found: Found) -> None:
        if append:
            append(text, found)
        print(f"\r{len(known)} searches", end="", file=sys.stderr, flush=True)

    return note


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 7 and int(text)):
        raise argparse.ArgumentTypeError("a whole number from 1 is needed")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise argparse.ArgumentTypeError("a share from 0 to 1 is needed")
    return share
