"""Inputs of the capacity model: measured costs from a file, and named assumptions.

An assumption is about people or about machines that were not measured. Change it here and read the
table again; no assumption is hidden in the arithmetic.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("costs.json")
COLUMNS = ("today", "goal")


@dataclass(frozen=True)
class Costs:
    """Measured costs, in the units of the file."""

    action_us: float
    action_apart_us: float
    delivery_us: float
    database_us: float
    redis_us: float
    hint_us: float
    idle_page_us: float
    page_kb: float
    view_us: float
    return_us: float
    process_mib: float
    commit_ms: float
    state_bytes: float
    spectator_bytes: float
    receipt_bytes: float
    stored_bytes: float


@dataclass(frozen=True)
class Assumptions:
    """Values that were not measured, each with its source."""

    # Share of the people online. Public sites for chess show some 0.4 games in play per person.
    playing_share: float = 0.8
    # Actions of a player in a game: one in ten seconds, as in site/docs/figures.md.
    actions_a_minute: float = 6.0
    # Pages of spectators for each game in play: few games are watched, some by a thousand.
    spectators_a_game: float = 0.2
    # Pages for each person: some keep a list or a second game open.
    pages_a_person: float = 1.1
    # Page views of a person: a game and its result every four minutes.
    views_a_minute: float = 0.5
    # Reconnections for each open page: telephones change networks and sleep.
    returns_a_minute: float = 0.02
    # Share of the actions that pages in other processes follow although the proxy sends all
    # pages of a game to one process: the lists, own games elsewhere.
    followed_elsewhere: float = 0.05
    # Maximum utilisation of a core, so that queues stay short and a neighbour may die.
    utilisation: float = 0.5
    # The same for the other processes while the pages of a dead one come back.
    utilisation_after_death: float = 0.9
    # Minimum number of machines for web processes: one may fail.
    machines_at_least: int = 2
    # Size of a rented machine.
    cores: int = 16
    memory_gib: float = 64.0
    link_gbit: float = 10.0
    # Cores without a web process: one for the kernel's network, one for the proxy.
    reserved_cores: int = 2
    # Commits a second that one PostgreSQL with fsync takes: its own group commit joins processes.
    commits_a_second: float = 8_000.0
    # WAL for each action, with the images of whole pages after a checkpoint.
    wal_bytes: float = 3_000.0
    # Size of PostgreSQL's rows relative to SQLite's: row headers, and pages that are not full.
    postgres_rows_factor: float = 2.0
    # Ratio of mean load to peak load, for the rows stored in a day.
    day_share: float = 0.4


def load(file: Path = FILE, column: str = "today") -> Costs:
    """Return the costs of a column of the file. Raise ValueError for a cost that is missing."""
    read: Mapping[str, Mapping[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    names = {field.name for field in fields(Costs)}
    if missing := names - read.keys():
        raise ValueError(f"{file.name} has no {', '.join(sorted(missing))}")
    return Costs(**{name: float(read[name][column]) for name in names})


def from_bench(costs: Costs, table: Mapping[str, Any]) -> Costs:
    """Return the costs, updated with those that a run of `tests.bench` measured (table.json)."""
    found: dict[str, float] = {}
    systems = table["systems"]
    for name, web in (("servers", "action_us"), ("two", "action_apart_us")):
        play = systems.get(name, {}).get("play", {}).get("200")
        if play:
            found[web] = play["cost"]["web"]
            found["database_us" if name == "servers" else "redis_us"] = play["cost"][
                "postgres" if name == "servers" else "redis"
            ]
    embedded = systems.get("daphne", {})
    if fan := embedded.get("fan", {}).get("1000"):
        found["delivery_us"] = fan["cost"]["web"]
    if growth := embedded.get("growth"):
        found["idle_page_us"] = growth["idle"]["web"] / (2 * growth["games"])
    memories = [each["memory"] for each in systems.values() if each.get("memory")]
    if embedded.get("memory") and memories:
        found["page_kb"] = embedded["memory"]
    return replace(costs, **found)
