"""`python -m tests.faults`: run the faults of the laboratory and print a table of the results."""

import argparse
import asyncio
import json
import os
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT)]

from tests.faults.cases.soak import soaked  # noqa: E402
from tests.faults.laboratory import FULL, QUICK  # noqa: E402
from tests.faults.register import FAULTS, Fault  # noqa: E402
from tests.faults.results_table import update  # noqa: E402
from tests.faults.runner import KINDS, Outcome, run  # noqa: E402

PROFILES = {"embedded": ["embedded"], "servers": ["servers"], "both": ["embedded", "servers"]}


def numbers(text: str) -> set[int]:
    """ "1,10-13" as a set."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def line(outcome: Outcome) -> str:
    """One row of the table."""
    head = f"{outcome.number:>3} {outcome.name:<34} {outcome.profile:<9}"
    if outcome.note:
        return f"{head} {outcome.note}"
    counts = " ".join(f"{outcome.counts[kind]:>5}" for kind in KINDS)
    figures = "; ".join(f"{'' if each.is_met else '✗ '}{each}" for each in outcome.figures)
    return f"{head} {outcome.runs:>5} {outcome.acknowledged:>7} {counts}  {figures}"


def header() -> str:
    """The head of the table."""
    kinds = " ".join(f"{kind[:5]:>5}" for kind in KINDS)
    head = f"{'#':>3} {'fault':<34} {'profile':<9} {'runs':>5} {'acked':>7} {kinds}"
    return f"{head}  figures (✗: limit not met)"


async def perform(options: argparse.Namespace) -> list[Outcome]:
    """Runs what was asked for."""
    if options.soak:
        minutes = options.soak
        chosen = [Fault(27, f"soak of {minutes:g} min", lambda lab: soaked(lab, minutes))]
    else:
        chosen = [each for each in FAULTS if not options.only or each.number in options.only]
    outcomes = []
    print(header(), flush=True)
    for fault in chosen:
        for profile in PROFILES[options.profile]:
            for n in range(options.runs):
                outcomes.append(await attempt(fault, profile, options, f"{options.seed}-{n}"))
                print(line(outcomes[-1]), flush=True)
                for finding in outcomes[-1].findings[:5]:
                    print(f"      {finding}", flush=True)
                save(outcomes, options)
    return outcomes


async def attempt(fault: Fault, profile: str, options: argparse.Namespace, seed: str) -> Outcome:
    """Runs a fault once; reports a failure of the laboratory as a note in the outcome."""
    try:
        return await run(fault, profile, QUICK if options.quick else FULL, seed)
    except Exception as error:
        traceback.print_exc()
        note = f"the laboratory failed: {type(error).__name__}: {error}"
        note = " ".join(note.split())  # one line: it is a cell of the table
        return Outcome(fault.number, fault.name, profile, 0.0, note=note[:300])


def save(outcomes: list[Outcome], options: argparse.Namespace) -> None:
    """Writes the outcomes so far."""
    if options.out:
        rows = [outcome.plain() for outcome in outcomes]
        options.out.write_text(json.dumps(rows, indent=1, default=str) + "\n")
    if options.table:
        update(options.table, outcomes, "quick" if options.quick else "full")


def main() -> None:
    """Reads the command line; status 1 if anything was lost, doubled, reordered, leaked or broken,
    or if the laboratory itself failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--only", type=numbers, default=set(), help="such as 1,10-13")
    parser.add_argument("--profile", choices=PROFILES, default="embedded")
    parser.add_argument("--runs", type=int, default=1, help="how often each is run")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="small numbers")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="only the soak, this long")
    parser.add_argument("--out", type=Path, help="a file for the table as JSON")
    parser.add_argument("--table", type=Path, help="a Markdown file to renew rows of")
    options = parser.parse_args()
    os.chdir(ROOT)
    try:
        outcomes = asyncio.run(perform(options))
    except KeyboardInterrupt:
        sys.exit("stopped; everything that was started has been ended")
    failed = [o for o in outcomes if not o.is_green or o.note.startswith("the laboratory")]
    print(f"\n{len(outcomes)} run, {len(failed)} red")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
