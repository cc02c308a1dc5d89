"""Table of the laboratory's last runs as Markdown, kept in one file over many runs.

A run replaces its own rows: those of the same fault, profile and scale. All others stay, each with
the date on which it was run.
"""

import os
import platform
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.faults.runner import KINDS, Outcome

HEAD = """# The fault laboratory: last runs

Written by `python -m tests.faults --table FILE`; see tests/README.md. A row is one fault in one
profile: `embedded` is one process on SQLite, `servers` two processes on PostgreSQL and Redis, all
of them real processes on loopback that are killed, frozen and cut off while random games are
played. “Acknowledged” counts the actions that players were told are kept. After each run a checker,
which shares no code with the server but the rules, compares what players were told with the rows of
the database; what it finds is counted as lost, doubled, reordered, leaked or broken, and every
count has to be 0. A figure with ✗ missed its limit, which is in brackets.
"""
COLUMNS = (
    *("#", "fault", "profile", "scale", "run on", "machine", "runs", "acknowledged", *KINDS),
    "figures (limit)",
)
ROW = re.compile(r"\| (\d+) \| [^|]+ \| (\w+) \| (\w+) \|")
Key = tuple[int, str, str]  # fault, profile, scale


def machine() -> str:
    """Return the cores, system and Python of this machine in a few words."""
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    return (
        f"{cores} cores ({load:.1f} busy), {platform.system()} {platform.release().split('-')[0]}, "
        f"Python {platform.python_version()}"
    )


def row(outcome: Outcome, scale: str, where: str, day: str) -> str:
    """Return the row of an outcome."""
    if outcome.note:
        cells = ["–"] * (2 + len(KINDS)) + [outcome.note]
    else:
        figures = "; ".join(f"{'' if each.is_met else '✗ '}{each}" for each in outcome.figures)
        counts = [str(outcome.counts[kind]) for kind in KINDS]
        cells = [f"{outcome.runs:,}", f"{outcome.acknowledged:,}", *counts, figures]
    head = [str(outcome.number), outcome.name, outcome.profile, scale, day, where]
    return "| " + " | ".join(cell.replace("|", "/") for cell in [*head, *cells]) + " |"


def render(rows: Iterable[str]) -> str:
    """Return the whole file with these rows, by fault, profile and scale."""
    ordered = sorted(rows, key=lambda each: key_of(each))
    table = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", *ordered]
    return HEAD + "\n" + "\n".join(table) + "\n"


def key_of(text: str) -> Key:
    """Return fault, profile and scale of a row. Raise ValueError for another line."""
    found = ROW.match(text)
    if found is None:
        raise ValueError(f"not a row of the laboratory's table: {text[:60]!r}")
    return int(found[1]), found[2], found[3]


def update(file: Path, outcomes: Sequence[Outcome], scale: str) -> None:
    """Write the outcomes into a file; of several of one fault and profile, the worst."""
    rows: dict[Key, str] = {}
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = {key_of(line): line for line in lines if ROW.match(line)}
    where, day = machine(), time.strftime("%Y-%m-%d")
    for outcome in sorted(outcomes, key=_badness):
        text = row(outcome, scale, where, day)
        rows[key_of(text)] = text
    file.write_text(render(rows.values()), encoding="utf-8")


def _badness(outcome: Outcome) -> tuple[bool, int, int]:
    """Return an order in which the worst outcome comes last."""
    has_failed = outcome.note.startswith("the laboratory failed")
    return has_failed, len(outcome.findings), sum(not each.is_met for each in outcome.figures)
