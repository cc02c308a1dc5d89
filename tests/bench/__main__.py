"""`python -m tests.bench`: compare the cost of an action between systems in one run.

Without options everything is measured, within a quarter of an hour, and a table is printed; with
--only the systems that it names, and then with --games in rounds of so many, without growth. With
--games, --port or --shape alone our own site is played at, as a load for whoever profiles it.
All of it stays on this machine, and everything that is started is ended.
"""

import argparse
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "web"), str(ROOT)]

from tests.bench import npm  # noqa: E402
from tests.bench.course import FULL, QUICK, WARM, Course, Scale, starts, told  # noqa: E402
from tests.bench.figures import played  # noqa: E402
from tests.bench.load import Generator  # noqa: E402
from tests.bench.process_counts import ProcessCounts  # noqa: E402
from tests.bench.processes import listener, more_files, say  # noqa: E402
from tests.bench.sites import SHAPES  # noqa: E402
from tests.bench.systems import Ours  # noqa: E402
from tests.bench.table import plain, report  # noqa: E402

ROUNDS, SECONDS = 3, 4.0  # of our own site alone
GROUPS = {"quiver": list(SHAPES), "colyseus": ["colyseus", "colyseus-at-once"]}


def cache() -> Path:
    """The default folder for npm packages and results."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "quiver-bench"


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for the data and logs of this run, in the place of those of the run before.

    It is on a disk, and everybody may enter it: started by root, PostgreSQL runs as another user,
    who may not enter root's home. Raises FileExistsError if somebody else has made it.
    """
    made = Path("/var/tmp") / f"quiver-bench-{os.getuid()}"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    made.chmod(0o755)
    yield made


def profile(options: argparse.Namespace) -> None:
    """Plays at our own site alone, with fresh games in each round."""
    generator = Generator(npm.packages(options.work, npm.LOAD))
    games = options.games or 200
    with ExitStack() as stack:
        if options.port:
            trees = {"web": [listener(options.port)]}
            ours = Ours("ours", "quiver", trees, [f"http://127.0.0.1:{options.port}"])
            ours.pin()
        else:
            ours = SHAPES[options.shape or "daphne"](stack, stack.enter_context(folder()))
        say(f"processes {ours.trees}, at {', '.join(ours.origins)}")
        rounds = options.rounds or ROUNDS
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}: opens {games} games")
            ours.pool.clear()
            ours.open(games)
            result = generator.play(ours, ours.pool, **WARM, seconds=options.seconds or SECONDS)
            play = played(result["waves"][0])
            print(f"{result['waves'][0]['actions']} actions, {told(play)}", flush=True)


def processes(options: argparse.Namespace) -> None:
    """Prints the cost of an action at a site with several web processes."""
    generator = Generator(npm.packages(options.work, npm.LOAD))
    counts = sorted({int(word) for word in options.processes.split(",")})
    with folder() as data, ExitStack() as stack:
        crowd = ProcessCounts(stack, data, generator, counts)
        text = crowd.run(options.games or 200, options.rounds or ROUNDS, options.seconds or SECONDS)
    (options.work / "processes.md").write_text(text)
    print(text, flush=True)


def compare(options: argparse.Namespace) -> int:
    """Measures the chosen systems, and prints the table; 1 if something failed."""
    everything = starts(npm.packages(options.work, npm.LOAD | npm.PEERS))
    names = [name for word in options.only.split(",") if word for name in GROUPS.get(word, [word])]
    names = [each for name in names or everything for each in every(name, everything)]
    with folder() as data:
        generator = Generator(options.work / "npm")
        course = Course(generator, scale_of(options), data)
        course.run({name: everything[name] for name in names})
    text = report(course.found, course.failures)
    (options.work / "table.md").write_text(text)
    (options.work / "table.json").write_text(json.dumps(plain(course.found), default=dumped))
    say(f"written to {options.work}/table.md and table.json")
    print(text, flush=True)
    return int(bool(course.failures))


def scale_of(options: argparse.Namespace) -> Scale:
    """Return the extent that the command line asks for."""
    scale = QUICK if options.quick else FULL
    if options.games:  # growth has a number of games of its own, which take minutes to be opened
        scale = replace(scale, sizes=(options.games,), growth=0)
    rounds, seconds = options.rounds or scale.rounds, options.seconds or scale.seconds
    return replace(scale, rounds=rounds, seconds=seconds)


def every(name: str, known: Any) -> list[str]:
    """The systems that a word of the command line means: one, or all that begin with it."""
    found = [name] if name in known else [each for each in known if each.startswith(f"{name}-")]
    if not found:
        raise SystemExit(f"There is no {name}; there are {', '.join(known)}.")
    return found


def dumped(value: Any) -> Any:
    """Converts a value that JSON has no type for."""
    return asdict(value) if is_dataclass(value) else str(value)


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything, in some minutes")
    parser.add_argument("--only", default="", help="systems by name, separated by commas")
    parser.add_argument("--work", type=Path, default=cache(), help="for packages and results")
    parser.add_argument("--games", type=int, help="in play at once (200)")
    parser.add_argument("--rounds", type=int, help=f"of play ({ROUNDS}; of --quick 1)")
    parser.add_argument("--seconds", type=float, help="of a round, at most")
    load = parser.add_argument_group("our own site alone")
    load.add_argument("--shape", choices=SHAPES, help="in which it is started (daphne)")
    load.add_argument("--port", type=int, help="of a site that runs already")
    load.add_argument(
        "--processes", default="", help="what so many web processes cost, such as 1,2,4,8"
    )
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    more_files()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # its children end as well
    if options.processes:
        processes(options)
        return 0
    if (options.games and not options.only) or options.shape or options.port:
        profile(options)
        return 0
    return compare(options)


if __name__ == "__main__":
    sys.exit(main())
