"""Prove that the tests notice planted faults: `python -m tests.mutations`.

Each mutation of the catalogue is planted in a copy of the checkout, in which its first tests run.
One line a mutation says which test has killed it. The exit status is 1 if one survived.
"""

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutations.apply import copy_checkout, planted
from tests.mutations.catalogue import MUTATIONS
from tests.mutations.find_tests import UnknownTest
from tests.mutations.mutation import Mutation, NotApplicable
from tests.mutations.run_tests import Outcome, Run, run_first_tests, run_gate, stop_tests


def main(arguments: Sequence[str]) -> int:
    """Run the chosen mutations and print what became of them; return the exit status."""
    options = _parse(arguments)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # cleans up
    chosen = [each for each in MUTATIONS if not options.only or each.number in options.only]
    with tempfile.TemporaryDirectory(prefix="quiver-mutations-") as folder:
        runs = run_all(chosen, Path(folder), options)
    counts = {outcome: sum(run.outcome is outcome for run in runs) for outcome in Outcome}
    print(
        f"{len(runs)} mutations: {counts[Outcome.KILLED]} killed, "
        f"{counts[Outcome.SURVIVED]} survived, {counts[Outcome.BROKEN]} could not be run"
    )
    if options.json:
        rows = [_row(mutation, run) for mutation, run in zip(chosen, runs, strict=True)]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    expected = Outcome.SURVIVED if options.baseline else Outcome.KILLED
    return 0 if counts[expected] == len(runs) else 1


def run_all(chosen: Sequence[Mutation], folder: Path, options: argparse.Namespace) -> Sequence[Run]:
    """Run mutations, as many at a time as there are jobs; each job has a copy of the checkout."""
    workers: SimpleQueue[int] = SimpleQueue()
    for worker in range(options.jobs):
        copy_checkout(folder / f"checkout{worker}")
        workers.put(worker)

    def run_one(mutation: Mutation) -> Run:
        worker = workers.get()
        try:
            run = _run(mutation, folder, worker, options)
        finally:
            workers.put(worker)
        print(_line(mutation, run), flush=True)
        if run.outcome is Outcome.BROKEN or (options.baseline and run.killer):
            print(run.tail, flush=True)
        return run

    pool = ThreadPoolExecutor(options.jobs)
    try:
        return list(pool.map(run_one, chosen))
    finally:  # also when the run is interrupted
        pool.shutdown(wait=False, cancel_futures=True)
        stop_tests()
        pool.shutdown()


def _run(mutation: Mutation, folder: Path, worker: int, options: argparse.Namespace) -> Run:
    checkout, data = folder / f"checkout{worker}", folder / f"data{worker}"
    try:
        if options.baseline:
            return run_first_tests(mutation, checkout, data, worker)
        with planted(mutation, checkout):
            run = run_first_tests(mutation, checkout, data, worker)
            if run.outcome is Outcome.SURVIVED and options.gate:
                run = run_gate(mutation, checkout, data, worker)
            return run
    except (NotApplicable, UnknownTest) as error:
        return Run(Outcome.BROKEN, str(error))


def _line(mutation: Mutation, run: Run) -> str:
    found = f"{run.outcome.value} {run.killer}".strip()
    return f"{mutation.number:3}  {mutation.name}: {found} ({run.seconds:.1f} s)"


def _row(mutation: Mutation, run: Run) -> dict[str, object]:
    return {
        "number": mutation.number,
        "name": mutation.name,
        "file": mutation.file,
        "outcome": run.outcome.name.lower(),
        "killer": run.killer,
        "seconds": round(run.seconds, 1),
    }


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.mutations", description=__doc__)
    parser.add_argument("--only", type=_numbers, help="numbers of mutations, such as 3,7-9")
    parser.add_argument("--gate", action="store_true", help="run the whole gate for survivors")
    parser.add_argument("--baseline", action="store_true", help="plant nothing: all has to survive")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument("--jobs", type=int, default=1, help="mutations that run at a time")
    return parser.parse_args(arguments)


def _numbers(text: str) -> frozenset[int]:
    """Return the numbers of `3,7-9`."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
