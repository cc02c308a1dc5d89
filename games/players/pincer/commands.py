"""The command `solve-pincer` of `python -m games`."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

MOVES: Final = 50
PIECES: Final = 8
SAMPLED: Final = 300  # positions of each material and number of moves left


class CannotSolve(ValueError):
    """The solver cannot run or continue; `str` is an English sentence."""


def add_solve(commands: Any) -> None:
    """Add the arguments of `solve-pincer` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("solve-pincer", help="computes the exact values of Pincer")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where the layers are kept")
    parser.add_argument("--pieces", type=int, choices=range(3, PIECES + 1), default=PIECES)
    parser.add_argument("--left", type=int, choices=range(1, MOVES + 1), default=MOVES)
    parser.add_argument("--threads", type=int, choices=range(1, 65), default=1, metavar="N")
    parser.add_argument("--turns", action="store_true", help="prints the values of the start")
    parser.add_argument("--verify", action="store_true", help="compares samples with searches")
    parser.add_argument("--table", type=Path, metavar="FILE", help="writes the players' table")
    parser.set_defaults(run=run_solve)


def run_solve(arguments: argparse.Namespace) -> int:
    """Solve, continue or verify; return 1 if a value is wrong, else 0. Raises CannotSolve."""
    for module in ("numba", "numpy"):
        if find_spec(module) is None:
            raise CannotSolve(f"This needs {module}.")
    from games.players.pincer.solved import report
    from games.players.pincer.solved.storage import StorageError

    try:
        if arguments.verify:
            return report.verify(arguments.folder, arguments.pieces, arguments.left, SAMPLED)
        if arguments.turns:
            report.print_start(arguments.folder, arguments.left)
            return 0
        report.solve(arguments.folder, arguments.pieces, arguments.left, arguments.threads)
        if arguments.table is not None:
            report.write_table(arguments.folder, arguments.table)
    except StorageError as error:
        raise CannotSolve(str(error)) from None
    return 0
