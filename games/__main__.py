"""Command line of the rules.

    python -m games replay FILE...     replays recorded games, one JSON line each
    python -m games verify FILE...     checks exported games: hashes, seals, clocks, result
    python -m games perft KEY DEPTH    counts sequences of turns (in Pincer of single moves)
    python -m games positions FILE     plays hand-made positions of Pincer, one JSON line each
    python -m games match A B KEY      measures one computer player against another
    python -m games ladder KEY         measures each level against the one below it; --anchors FILE
                                       writes the ratings of the levels
    python -m games self-play KEY FILE plays Amazons against itself, for a fit of its evaluation
    python -m games fit-evaluation KEY FILE...  fits the evaluation to these games
    python -m games opening-book KEY   makes the opening book of level 8 of Amazons
    python -m games exploit blotto     computes what the best reply to each level earns
    python -m games solve-blotto       recomputes the table of Blotto's equilibrium
    python -m games solve-pincer DIR   computes the exact value of every position of Pincer
    python -m games puzzles FILE       mines games between levels for puzzles
    python -m games rate FILE...       recomputes a public file of ratings
    python -m games wasm               compiles the engines of the pages; --check only compares

A player is a level (1 to 8), random, one-turn (Amazons), material:DEPTH (Pincer) or
spiel:SIMULATIONS (Amazons 10×10). In Amazons 8:no-book is level 8 without its opening book.

Exit status 1: an action is illegal, a record or a rating is wrong (its line says why), a level was
not shown to be stronger than the one below it, or an engine differs from its build. Status 2: a
file cannot be read or has the wrong format, a rule set or a player is unknown, the engines cannot
be built here, or the command line is invalid.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.audit.record import check_record
from games.catalogue import UnknownRules, rules_of
from games.lab.book_command import CannotWriteBook, add_opening_book
from games.lab.book_searches import BadSearches
from games.lab.commands import BadTest, CannotWrite, add_ladder, add_match
from games.lab.entrants import NoEntrant
from games.lab.openings import TooFew
from games.lab.training import BadGames, add_fit, add_self_play
from games.perft import perft
from games.players.blotto.commands import CannotCompute, add_exploit, add_solve
from games.players.levels import NotCompiled, UnknownLevel
from games.players.pincer.commands import CannotSolve
from games.players.pincer.commands import add_solve as add_solve_pincer
from games.puzzles.command import CannotWritePuzzles, add_puzzles
from games.rating.command import add_rate
from games.rating.entry_parsing import BadEntry
from games.records import BadRecord, position, replay_line
from games.text import escape_unencodable_output
from games.wasm.command import add_wasm
from games.wasm.link import CannotLink


class Unreadable(Exception):
    """An unusable input file; `str` is an English sentence."""


REFUSALS: Final = (
    Unreadable,
    UnknownRules,
    UnknownLevel,
    NotCompiled,
    NoEntrant,
    TooFew,
    BadTest,
    BadGames,
    BadSearches,
    CannotWriteBook,
    CannotWrite,
    CannotCompute,
    CannotSolve,
    BadEntry,
    CannotLink,
    CannotWritePuzzles,
)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # other programs write a byte order mark
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}.") from None
    except (UnicodeError, ValueError):
        raise Unreadable(f"{path} is not a text in UTF-8.") from None


def _value(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{where} is not JSON: {error}.") from None


def _replays(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number},"
            try:
                yield replay_line(_value(line, where))
            except (BadRecord, UnknownRules) as error:
                raise Unreadable(f"{where} is not a game: {error}") from None


def _positions(path: Path) -> Iterator[dict[str, Any]]:
    entries = _value(_text(path), str(path))
    if not isinstance(entries, list):
        raise Unreadable(f"{path} is not a list of positions.")
    for number, entry in enumerate(entries, 1):
        try:
            yield position(entry)
        except BadRecord as error:
            raise Unreadable(f"{path}, position {number}: {error}") from None


def _verify(path: Path) -> int:
    """Print the faults of an exported game; return 1 if there are any, else 0."""
    try:
        faults, summary = check_record(_value(_text(path), str(path)))
    except (BadRecord, UnknownRules) as error:
        raise Unreadable(f"{path}: {error}") from None
    print(f"{path}: {summary}: {'; '.join(faults) or 'right'}")
    return 1 if faults else 0


def _print(lines: Iterator[dict[str, Any]]) -> int:
    """Print each line; return 1 if an action was illegal, else 0."""
    status = 0
    for line in lines:
        print(json.dumps(line))
        if "error" in line:
            status = 1
    return status


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):
        raise argparse.ArgumentTypeError("DEPTH is a whole number from 0")
    return int(text)


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m games", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("replay").add_argument("files", nargs="+", metavar="FILE", type=Path)
    commands.add_parser("verify").add_argument("files", nargs="+", metavar="FILE", type=Path)
    counting = commands.add_parser("perft")
    counting.add_argument("key", metavar="KEY")
    counting.add_argument("depth", metavar="DEPTH", type=_depth)
    commands.add_parser("positions").add_argument("file", metavar="FILE", type=Path)
    add_match(commands)
    add_ladder(commands)
    add_self_play(commands)
    add_fit(commands)
    add_opening_book(commands)
    add_exploit(commands)
    add_solve(commands)
    add_solve_pincer(commands)
    add_rate(commands)
    add_wasm(commands)
    add_puzzles(commands)
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Run one command and return its exit status."""
    arguments = _arguments(argv)
    try:
        if "run" in arguments:
            return int(arguments.run(arguments))
        if arguments.command == "perft":
            print(perft(rules_of(arguments.key), arguments.depth))
            return 0
        if arguments.command == "positions":
            return _print(_positions(arguments.file))
        if arguments.command == "verify":
            return max(_verify(path) for path in arguments.files)
        return max(_print(_replays(path)) for path in arguments.files)
    except REFUSALS as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    escape_unencodable_output()
    sys.exit(main(sys.argv[1:]))
