"""The command `wasm` of `python -m games`."""

from __future__ import annotations

import argparse
from typing import Any

from games.wasm.artefacts import ROOT, files_of
from games.wasm.build import build_all


def add_wasm(commands: Any) -> None:
    """Add the arguments of `wasm` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("wasm", help="compiles the engines of the pages")
    parser.add_argument("--check", action="store_true", help="only compares with what is there")
    parser.set_defaults(run=run_wasm)


def run_wasm(arguments: argparse.Namespace) -> int:
    """Build, and write or compare; return 1 if a file differs from its build, else 0.

    Raises CannotLink.
    """
    status = 0
    for path, data in files_of(build_all()).items():
        is_same = path.is_file() and path.read_bytes() == data
        if not is_same and not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        said = "as built" if is_same else "differs" if arguments.check else "written"
        print(f"{path.relative_to(ROOT)}: {len(data):,} bytes, {said}")
        status = max(status, int(arguments.check and not is_same))
    return status
