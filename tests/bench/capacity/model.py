"""Number of machines by number of people: arithmetic on measured costs, without I/O."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp

from tests.bench.capacity.assumptions import Assumptions, Costs

SECOND_US = 1e6
RETURN_WINDOW_S = 10.0  # in which pages of a dead process come back, at a flat rate


@dataclass(frozen=True)
class Load:
    """The load of a number of people on all processes, in events a second."""

    pages: float
    games: float
    actions: float
    deliveries: float  # states to spectators
    views: float
    returns: float


@dataclass(frozen=True)
class Plan:
    """The machines and processes that a load needs."""

    load: Load
    work_cores: dict[str, float]  # of web processes, by kind of work
    processes: int
    web_machines: int
    hints: float  # messages a second through Redis
    heard: float  # messages a second that one process hears
    redis_cores: float
    redis_shards: int
    database_cores: float
    commits: float  # a second
    database_shards: int
    wal_mb: float  # MB a second
    stored_gb_a_day: float
    memory_gib: float  # of all web processes
    out_gbit: float
    death_cores: float  # work of a dead process's pages that return, in cores of all others
    death_utilisation: float  # of each other process meanwhile
    machine_back_s: float  # until all pages of a machine that fails are served by the others


def load_of(people: int, assumed: Assumptions) -> Load:
    """Return the load of a number of people who are online."""
    playing = people * assumed.playing_share
    games = playing / 2
    pages = people * assumed.pages_a_person + games * assumed.spectators_a_game
    actions = playing * assumed.actions_a_minute / 60
    return Load(
        pages=pages,
        games=games,
        actions=actions,
        deliveries=actions * assumed.spectators_a_game,
        views=people * assumed.views_a_minute / 60,
        returns=pages * assumed.returns_a_minute / 60,
    )


def plan(people: int, costs: Costs, assumed: Assumptions, is_routed: bool = True) -> Plan:
    """Return the plan for a number of people.

    With `is_routed`, the proxy sends all pages of a game to one process; otherwise each page goes
    to any, so that with N processes the seats of a game share one with a chance of 1 in N.
    """
    load = load_of(people, assumed)
    processes = 2
    work = _work(load, costs, assumed, processes, is_routed)
    while not _is_enough(load, sum(work.values()), costs, assumed, processes):
        processes += 1  # their number decides how many hints they exchange
        work = _work(load, costs, assumed, processes, is_routed)
    hints = load.actions * _apart(assumed, processes, is_routed)
    heard = hints * _listeners(assumed, is_routed) / processes
    per_machine = assumed.cores - assumed.reserved_cores
    memory = processes * costs.process_mib / 1024 + load.pages * costs.page_kb / 2**20
    out = load.actions * (2 * costs.state_bytes + costs.receipt_bytes)
    out += load.deliveries * costs.spectator_bytes
    machines = max(
        assumed.machines_at_least,
        ceil(processes / per_machine),
        ceil(memory / (assumed.memory_gib / 2)),
        ceil(out * 8 / 1e9 / (assumed.link_gbit * assumed.utilisation)),
    )
    redis = hints * costs.redis_us / SECOND_US
    database = load.actions * costs.database_us / SECOND_US
    commits = commit_rate(load.actions / processes, costs) * processes
    shards = max(
        ceil(database / (assumed.cores * assumed.utilisation)),
        ceil(commits / assumed.commits_a_second),
    )
    used, lost = sum(work.values()), _return_cores(load, costs, processes)
    failed = ceil(processes / machines)  # the processes of one machine
    return_work = load.pages * failed / processes * costs.return_us / SECOND_US
    return Plan(
        load=load,
        work_cores=work,
        processes=processes,
        web_machines=machines,
        hints=hints,
        heard=heard,
        redis_cores=redis,
        redis_shards=max(1, ceil(redis / assumed.utilisation)),
        database_cores=database,
        commits=commits,
        database_shards=shards,
        wal_mb=load.actions * assumed.wal_bytes / 1e6,
        stored_gb_a_day=load.actions
        * costs.stored_bytes
        * assumed.postgres_rows_factor
        * assumed.day_share
        * 86_400
        / 1e9,
        memory_gib=memory,
        out_gbit=out * 8 / 1e9,
        death_cores=lost,
        death_utilisation=(used + lost) / (processes - 1),
        machine_back_s=max(RETURN_WINDOW_S, return_work / max(1e-9, processes - failed - used)),
    )


def _return_cores(load: Load, costs: Costs, processes: int) -> float:
    """Return the cores that the pages of one dead process need while they come back."""
    return load.pages / processes * costs.return_us / SECOND_US / RETURN_WINDOW_S


def _is_enough(
    load: Load, cores: float, costs: Costs, assumed: Assumptions, processes: int
) -> bool:
    """Return whether so many processes carry the load, also while one of them is dead."""
    after_death = (cores + _return_cores(load, costs, processes)) / (processes - 1)
    is_calm = cores / processes <= assumed.utilisation
    return is_calm and after_death <= assumed.utilisation_after_death


def commit_rate(actions: float, costs: Costs) -> float:
    """Return the commits a second of one process at a rate of actions a second.

    A process has one commit in flight, and all actions that come during it share the next. Actions
    come at random (Poisson), so that after a commit of T seconds none waits with the chance
    exp(-r·T), and the next comes after 1/r. Hence one commit each T + exp(-r·T)/r. T grows with
    the rows of the actions that share it, and is found by iteration.
    """
    if not actions:
        return 0.0
    fixed_s, row_s = costs.commit_ms / 1000, costs.database_us / SECOND_US
    cycle_s = fixed_s
    for _ in range(50):
        commit_s = fixed_s + row_s * actions * cycle_s
        cycle_s = commit_s + exp(-actions * commit_s) / actions
    return 1 / cycle_s


def _apart(assumed: Assumptions, processes: int, is_routed: bool) -> float:
    """Return the share of the actions that another process needs to hear of."""
    return assumed.followed_elsewhere if is_routed else 1 - 1 / processes


def _listeners(assumed: Assumptions, is_routed: bool) -> float:
    """Return the number of processes that hear a hint: those that watch its topic."""
    return 1.0 if is_routed else 1.0 + assumed.spectators_a_game


def _work(
    load: Load, costs: Costs, assumed: Assumptions, processes: int, is_routed: bool
) -> dict[str, float]:
    """Return the cores that web processes use, by kind of work."""
    apart = _apart(assumed, processes, is_routed)
    listeners = _listeners(assumed, is_routed)
    if is_routed:
        action, heard = costs.action_us, load.actions * apart * listeners
    else:  # the costs measured with two processes include the hints
        action = (1 - apart) * costs.action_us + apart * costs.action_apart_us
        heard = load.actions * apart * (listeners - 1)
    return {
        "actions": load.actions * action / SECOND_US,
        "spectators": load.deliveries * costs.delivery_us / SECOND_US,
        "hints": heard * costs.hint_us / SECOND_US,
        "idle pages": load.pages * costs.idle_page_us / SECOND_US,
        "page views": load.views * costs.view_us / SECOND_US,
        "pages that come back": load.returns * costs.return_us / SECOND_US,
    }
