"""Figures computed from the load generator's measurements, without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

GENERATOR = "generator"  # its name among the process trees
Costs = Mapping[str, float]  # by process tree


def share(values: Sequence[float], part: float) -> float:
    """The least value with this share of all values at or below it; 0 without values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = -(-round(part * 10**6) * len(ordered) // 10**6)  # rounded up
    return ordered[max(1, rank) - 1]


@dataclass(frozen=True)
class Play:
    """Games in play."""

    rate: float  # actions a second
    p50: float  # ms from sending to the opponent's new state
    p99: float
    cost: Costs  # CPU µs an action
    generator: float  # the share of its core that the load generator used


@dataclass(frozen=True)
class Fan:
    """One game with many spectators."""

    cost: Costs  # CPU µs a delivered state
    last: float  # ms from sending until the last one had it, median over actions
    generator: float


@dataclass(frozen=True)
class Growth:
    """Fifty games in play alone, and among many."""

    alone: Play
    among: Play
    games: int
    idle: Costs  # CPU µs a second while all were there and nobody played


@dataclass
class Measured:
    """The figures of a system."""

    play: dict[int, Play] = field(default_factory=dict)  # by games
    fan: dict[int, Fan] = field(default_factory=dict)  # by spectators
    memory: float | None = None  # KB a connection
    growth: Growth | None = None


def played(window: Mapping[str, Any]) -> Play:
    """The figures of a window."""
    used = dict(window["used"])
    micros = used.pop("at")
    actions = max(1, window["actions"])
    late = window.get("latencies", ())
    return Play(
        rate=window["actions"] / micros * 1e6,
        p50=share(late, 0.5) / 1000,
        p99=share(late, 0.99) / 1000,
        cost={name: each / actions for name, each in used.items()},
        generator=used[GENERATOR] / micros,
    )


def fanned(result: Mapping[str, Any]) -> Fan:
    """The figures of an audience."""
    used = dict(result["used"])
    micros = used.pop("at")
    delivered = max(1, result["delivered"])
    cost = {name: each / delivered for name, each in used.items()}
    return Fan(cost, median(result["delays"]) / 1000, used[GENERATOR] / micros)


def a_connection(result: Mapping[str, Any]) -> float:
    """KB of the server's memory that a connection takes."""
    grown = sum(result["after"].values()) - sum(result["before"].values())
    return float(grown / result["connections"] / 1024)


def resting(result: Mapping[str, Any]) -> Costs:
    """CPU µs a second."""
    used = dict(result["idle"])
    micros = used.pop("at")
    return {name: each / micros * 1e6 for name, each in used.items() if name != GENERATOR}


def middle(rounds: Sequence[Play]) -> Play:
    """The median of each figure over rounds."""

    def of(figure: Callable[[Play], float]) -> float:
        return float(median(figure(each) for each in rounds))

    cost = {name: of(lambda each, name=name: each.cost[name]) for name in rounds[0].cost}
    rate, generator = of(lambda each: each.rate), of(lambda each: each.generator)
    return Play(rate, of(lambda each: each.p50), of(lambda each: each.p99), cost, generator)


def whole(cost: Costs) -> float:
    """The total cost of a system's process trees, without the load generator."""
    return sum(each for name, each in cost.items() if name != GENERATOR)
