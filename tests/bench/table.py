"""Results of a run as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.bench.figures import GENERATOR, Costs, Measured
from tests.bench.goals import Found, games_of_ratios, goals

BOUND = 0.85  # share of its core from which on it is the generator that is measured
SYSTEMS = {  # name, place of the state, whether an action is stored before it is shown
    "daphne": ("**Quiver, embedded** (Daphne, SQLite)", "database", "yes, full sync"),
    "servers": ("**Quiver, PostgreSQL + Redis**, one Daphne", "database", "yes"),
    "two": ("**Quiver, PostgreSQL + Redis**, two Daphnes", "database", "yes"),
    "boardgame.io": ("boardgame.io 0.50, its storage in memory, SocketIO", "memory", "no"),
    "colyseus": ("Colyseus 0.18, default 50 ms patch rate", "memory", "no"),
    "colyseus-at-once": ("Colyseus 0.18, state sent at once", "memory", "no"),
    "tutorial": ("Channels the tutorial's way, SQLite", "database", "yes"),
}
NOTHING = "–"


def report(found: Found, failures: Sequence[str]) -> str:
    """The whole of it."""
    parts = [_played(found), _watched(found), _grown(found), _judged(found)]
    wrong = "\n".join(f"- FAILED: {failure}" for failure in failures)
    return "\n\n".join(part for part in [*parts, wrong] if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines of Markdown; nothing for no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines])


def costs(cost: Costs) -> str:
    """The cost of each process tree, the web processes first; the generator is left out."""
    rest = [f"{name} {each:.0f}" for name, each in cost.items() if name not in ("web", GENERATOR)]
    return ", ".join([f"{cost['web']:.0f}", *rest])


def _named(found: Found) -> list[tuple[str, Measured]]:
    return [(name, found[name]) for name in SYSTEMS if name in found]


def _played(found: Found) -> str:
    sizes = sorted({size for measured in found.values() for size in measured.play})
    by, main = " / ".join(map(str, sizes)), games_of_ratios(found)
    head = [
        "system",
        "state kept in",
        "durable before push?",
        f"CPU µs an action at {by} games",
        f"actions/s at {main}",
        f"p50 / p99 ms at {main}",
        "generator's share of its core",
    ]
    rows = []
    for name, measured in _named(found):
        if not measured.play:
            continue
        at = measured.play.get(main)
        cells = [costs(measured.play[n].cost) if n in measured.play else NOTHING for n in sizes]
        rows.append(
            [
                *SYSTEMS[name],
                " / ".join(cells),
                f"{at.rate:,.0f}" if at else NOTHING,
                f"{at.p50:.0f} / {at.p99:.0f}" if at else NOTHING,
                _bound(at.generator) if at else NOTHING,
            ]
        )
    return table(head, rows)


def _bound(part: float) -> str:
    return f"{part:.0%}" + (" (the generator is the bottleneck)" if part >= BOUND else "")


def _watched(found: Found) -> str:
    crowds = sorted({crowd for measured in found.values() for crowd in measured.fan})
    by = " / ".join(map(str, crowds))
    head = ["system", f"µs a delivered state at {by} spectators", "the last one has it after, ms"]
    head.append("KB a connection")

    def cells(measured: Measured, of: Callable[[int], str]) -> str:
        return " / ".join(of(n) if n in measured.fan else NOTHING for n in crowds)

    rows = [
        [
            SYSTEMS[name][0],
            cells(each, lambda n, each=each: f"{each.fan[n].cost['web']:.0f}"),
            cells(each, lambda n, each=each: f"{each.fan[n].last:.0f}"),
            NOTHING if each.memory is None else f"{each.memory:.0f}",
        ]
        for name, each in _named(found)
        if each.fan or each.memory is not None
    ]
    return table(head, rows)


def _grown(found: Found) -> str:
    lines = []
    for name, measured in _named(found):
        growth = measured.growth
        if growth:
            beats = growth.idle["web"] / 1000
            lines.append(
                f"Growth, {SYSTEMS[name][0]}: {costs(growth.alone.cost)} µs an action with 50 "
                f"games open and in play, {costs(growth.among.cost)} with {growth.games:,} open "
                f"and 50 in play. While nobody plays, the pages of those {growth.games:,} games, "
                f"which all beat, take {beats:.0f} ms a second."
            )
    return "\n\n".join(lines)


def _judged(found: Found) -> str:
    head = ["goal", "what", "figure", "limit (wish)", ""]
    rows = [
        [
            str(goal.number),
            goal.says,
            _figure(goal.figure),
            _figure(goal.limit) + (f" ({_figure(goal.wish)})" if goal.wish else ""),
            goal.verdict,
        ]
        for goal in goals(found)
    ]
    return table(head, rows)


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}".removesuffix(".00")


def plain(found: Found) -> Mapping[str, object]:
    """The same for programs."""
    return {
        "systems": {name: found[name] for name in found},
        "goals": [{"met": goal.is_met, **vars(goal)} for goal in goals(found)],
    }
