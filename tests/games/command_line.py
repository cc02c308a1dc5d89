"""Run `python -m games` in this process, and in one of its own."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path

from games.__main__ import main

ROOT = Path(__file__).parents[2]


def run(*arguments: object) -> tuple[int, str, str]:
    """Return the exit status, the output and the errors of a command."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
    ):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
    return status, out.getvalue(), errors.getvalue()


def run_in_process(*arguments: object) -> tuple[int, str, str]:
    """Return the same of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "games", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr
