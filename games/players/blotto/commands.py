"""The commands `solve-blotto` and `exploit` of `python -m games`."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from games.catalogue import rules_of
from games.players.blotto import equilibrium
from games.players.blotto.characters import CHARACTERS


class CannotCompute(ValueError):
    """A requirement is missing; `str` is an English sentence."""


def add_solve(commands: Any) -> None:
    """Add the arguments of `solve-blotto` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("solve-blotto", help="writes the table of the equilibrium anew")
    parser.add_argument("--to", type=Path, default=Path(str(equilibrium.FILE)), metavar="FILE")
    parser.set_defaults(run=run_solve)


def add_exploit(commands: Any) -> None:
    """Add the arguments of `exploit`."""
    parser = commands.add_parser("exploit", help="what the best reply to each level earns")
    parser.add_argument("key", metavar="KEY")
    parser.set_defaults(run=run_exploit)


def run_solve(arguments: argparse.Namespace) -> int:
    """Solve and write the table; return 0. Raises CannotCompute."""
    _need("scipy")
    from games.players.blotto.solve import table

    try:
        arguments.to.write_text(table_json(table()), encoding="utf-8")
    except OSError as error:
        raise CannotCompute(f"{arguments.to}: {error.strerror or error}.") from None
    return 0


def run_exploit(arguments: argparse.Namespace) -> int:
    """Print a line for each level; return 0. Raises CannotCompute, UnknownRules."""
    rules = rules_of(arguments.key)
    if rules.key != "blotto":
        raise CannotCompute(f"What the best reply earns is known for blotto only, not {rules.key}.")
    _need("numpy")
    from games.players.blotto.exploitability import exploitability

    for number, character in CHARACTERS.items():
        if character.bound is not None:
            print(f"level {number}: at most {character.bound:.6f}", flush=True)
        else:
            print(f"level {number}: {exploitability(character):.6f}", flush=True)
    return 0


def table_json(table: dict[str, dict[str, Any]]) -> str:
    """Return the table as JSON, a line for each number of rounds left and lead."""
    blocks = []
    for left, leads in table.items():
        lines = [f"    {json.dumps(lead)}: {json.dumps(entry)}" for lead, entry in leads.items()]
        block = ",\n".join(lines)
        blocks.append(f"  {json.dumps(left)}: {{\n{block}\n  }}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def _need(module: str) -> None:
    if find_spec(module) is None:
        raise CannotCompute(f"This needs {module}.")
