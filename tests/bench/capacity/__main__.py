"""`python -m tests.bench.capacity`: compute the machines for 100,000 people from measured costs.

Costs are read from costs.json beside this module: measured ones (`today`), and those that
performance.md sets as goals (`goal`). `--table` takes the measured ones from a run of
`python -m tests.bench` (its table.json), `--set` any other, and `--write` keeps both in the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT)]

from tests.bench.capacity.assumptions import (  # noqa: E402
    COLUMNS,
    FILE,
    Assumptions,
    Costs,
    from_bench,
    load,
)
from tests.bench.capacity.model import RETURN_WINDOW_S, Plan, plan  # noqa: E402
from tests.bench.capacity.simulation import Rates, mean_wait, rates_of, simulate  # noqa: E402
from tests.bench.table import table  # noqa: E402

SECONDS = 60.0  # of a simulation
AFTER_DEATH_S = 10.0  # from its begin to the death of another process
UTILISATIONS = (0.3, 0.5, 0.7, 0.8, 0.9)
CASES = (("today", True), ("today", False), ("goal", True))


def report(people: int, costs: dict[str, Costs], assumed: Assumptions, seed: int) -> str:
    """Return all tables as Markdown."""
    cases = [(column, is_routed) for column, is_routed in CASES]
    plans = [plan(people, costs[column], assumed, is_routed) for column, is_routed in cases]
    names = [
        f"{'measured costs' if column == 'today' else 'goals of performance.md'}, "
        f"{'a game in one process' if is_routed else 'pages anywhere'}"
        for column, is_routed in cases
    ]
    parts = [
        f"{people:,} people at once: {_load_words(plans[0])}",
        table(["", *names], _plan_rows(plans)),
        "Simulated: a process of these plans, and the same one while another dies",
        table(["", *names], _death_rows(plans, [costs[column] for column, _ in cases], seed)),
        "Simulated: a process at other utilisations, measured costs, a game in one process",
        _utilisation_table(plans[0], costs["today"], seed),
    ]
    return "\n\n".join(parts) + "\n"


def _load_words(of: Plan) -> str:
    load = of.load
    return (
        f"{load.pages:,.0f} pages, {load.games:,.0f} games in play, {load.actions:,.0f} actions, "
        f"{load.views:,.0f} page views and {load.returns:,.0f} pages that come back a second."
    )


def _plan_rows(plans: list[Plan]) -> list[list[str]]:
    rows = [
        [f"cores for {name}", *(f"{each.work_cores[name]:.1f}" for each in plans)]
        for name in plans[0].work_cores
    ]
    figures = {
        "web processes": [f"{each.processes}" for each in plans],
        "web machines": [f"{each.web_machines}" for each in plans],
        "memory of the web processes, GiB": [f"{each.memory_gib:.0f}" for each in plans],
        "sent, Gbit/s": [f"{each.out_gbit:.2f}" for each in plans],
        "hints a second": [f"{each.hints:,.0f}" for each in plans],
        "… heard by each process": [f"{each.heard:.0f}" for each in plans],
        "cores of Redis, shards": [f"{e.redis_cores:.2f}, {e.redis_shards}" for e in plans],
        "commits a second": [f"{each.commits:,.0f}" for each in plans],
        "cores of PostgreSQL": [f"{each.database_cores:.1f}" for each in plans],
        "PostgreSQL, shards by game": [f"{each.database_shards}" for each in plans],
        "WAL, MB/s": [f"{each.wal_mb:.0f}" for each in plans],
        "stored a day, GB": [f"{each.stored_gb_a_day:.0f}" for each in plans],
    }
    return rows + [[name, *cells] for name, cells in figures.items()]


def _death_rows(plans: list[Plan], costs: list[Costs], seed: int) -> list[list[str]]:
    found: dict[str, list[str]] = {}

    def add(name: str, text: str) -> None:
        found.setdefault(name, []).append(text)

    for each, cost in zip(plans, costs, strict=True):
        rates = rates_of(each, cost)
        calm = simulate(rates, cost, SECONDS, seed)
        returning = each.load.pages / each.processes / max(1, each.processes - 1)
        others = _more(rates, each.processes / max(1, each.processes - 1))
        struck = simulate(others, cost, SECONDS, seed, returning, AFTER_DEATH_S)
        add("utilisation", f"{calm.utilisation:.2f} (computed {rates.utilisation:.2f})")
        add("mean wait, ms", f"{_mean_ms(calm.waits):.1f} (computed {mean_wait(rates) * 1e3:.1f})")
        add("commits a second", f"{calm.commits / SECONDS:.0f}")
        add("action p50 / p99, ms", _percentiles(calm.percentile(0.5), calm.percentile(0.99)))
        add("pages of the dead process for each other one", f"{returning:.0f}")
        add(f"utilisation in the {RETURN_WINDOW_S:.0f} s after", f"{each.death_utilisation:.2f}")
        p50, p99 = struck.percentile(0.5), struck.percentile(0.99)
        add("action p50 / p99 in that minute, ms", _percentiles(p50, p99))
        last = max(struck.returned, default=AFTER_DEATH_S) - AFTER_DEATH_S
        add("last page back after, s", f"{last:.1f}")
        add("after the death of a machine (computed), s", f"{each.machine_back_s:.0f}")
    return [[name, *cells] for name, cells in found.items()]


def _utilisation_table(of: Plan, costs: Costs, seed: int) -> str:
    rates, rows = rates_of(of, costs), []
    for utilisation in UTILISATIONS:
        scaled = _more(rates, utilisation / rates.utilisation)
        seen = simulate(scaled, costs, SECONDS * 2, seed)
        p50, p99 = seen.percentile(0.5), seen.percentile(0.99)
        wait = f"{_mean_ms(seen.waits):.1f} ({mean_wait(scaled) * 1e3:.1f})"
        rows.append([f"{utilisation:.1f}", f"{scaled.actions:.0f}", wait, _percentiles(p50, p99)])
    head = ["utilisation", "actions a second", "mean wait, ms (computed)", "action p50 / p99, ms"]
    return table(head, rows)


def _more(rates: Rates, factor: float) -> Rates:
    """Return the rates with so many times as much of everything."""
    return replace(
        rates,
        actions=rates.actions * factor,
        hints=rates.hints * factor,
        pings=rates.pings * factor,
        views=rates.views * factor,
        returns=rates.returns * factor,
    )


def _mean_ms(seconds: list[float]) -> float:
    return 1000 * sum(seconds) / len(seconds) if seconds else 0.0


def _percentiles(p50: float, p99: float) -> str:
    return f"{p50 * 1000:.0f} / {p99 * 1000:.0f}"


def write(costs: Costs) -> None:
    """Keep measured costs in the file."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    for name, value in asdict(costs).items():
        kept[name]["today"] = round(value, 2)
    lines = [
        f" {json.dumps(n)}: {json.dumps(each, ensure_ascii=False)}" for n, each in kept.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.capacity", description=__doc__)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--table", type=Path, help="table.json of a run of tests.bench")
    parser.add_argument("--set", action="append", default=[], metavar="COST=VALUE")
    parser.add_argument("--write", action="store_true", help="keep these costs in costs.json")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    costs = {column: load(FILE, column) for column in COLUMNS}
    if options.table:
        costs["today"] = from_bench(costs["today"], json.loads(options.table.read_text()))
    given = dict(each.split("=", 1) for each in options.set)
    if unknown := given.keys() - asdict(costs["today"]).keys():
        parser.error(f"there is no cost named {', '.join(sorted(unknown))}")
    costs["today"] = replace(costs["today"], **{n: float(value) for n, value in given.items()})
    if options.write:
        write(costs["today"])
    print(report(options.people, costs, Assumptions(), options.seed), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
