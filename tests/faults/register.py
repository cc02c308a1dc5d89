"""Register of faults: number, name, function and where it does not apply."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.faults.cases import (
    bot_worker_faults,
    clocks_and_hints,
    combined,
    connections,
    failovers,
    hostile_clients,
    outages,
    process_kills,
    races,
    revoked_sessions,
    soak,
    sqlite_files,
)
from tests.faults.laboratory import Figure, Laboratory

Run = Callable[[Laboratory], Awaitable[list[Figure]]]
NO_REDIS = "there is no Redis"
NO_POSTGRES = "there is no PostgreSQL"
NO_SQLITE = "the database is not a file of SQLite"


@dataclass(frozen=True)
class Fault:
    """One of them. `not_in` says for a profile why it does not apply there."""

    number: int
    name: str
    run: Run
    not_in: dict[str, str] = field(default_factory=dict)


FAULTS = (
    Fault(1, "server killed mid-submission", process_kills.killed_mid_submission),
    Fault(2, "server killed at the reveal", process_kills.killed_at_the_reveal),
    Fault(3, "rolling deploy by SIGTERM", process_kills.deployed_anew),
    Fault(4, "Redis killed and restarted", outages.redis_killed, {"embedded": NO_REDIS}),
    Fault(5, "Redis hangs", outages.redis_hangs, {"embedded": NO_REDIS}),
    Fault(6, "Redis flushed and full", outages.redis_full, {"embedded": NO_REDIS}),
    Fault(7, "PostgreSQL restarted", outages.postgres_restarted, {"embedded": NO_POSTGRES}),
    Fault(8, "PostgreSQL frozen", outages.postgres_frozen, {"embedded": NO_POSTGRES}),
    Fault(9, "PostgreSQL has no room", outages.postgres_crowded, {"embedded": NO_POSTGRES}),
    Fault(10, "race for the last seal", races.last_seal),
    Fault(11, "two tabs, different troops", races.two_tabs),
    Fault(12, "doubled frames", races.doubled_frames),
    Fault(13, "stale and swapped frames", races.out_of_order),
    Fault(14, "client frozen, then thawed", connections.frozen_clients),
    Fault(15, "half-open line, black hole", connections.black_hole),
    Fault(16, "lost answer", connections.lost_answer),
    Fault(17, "wall clock jumps", clocks_and_hints.clock_jumps),
    Fault(18, "down while clocks run", process_kills.down_for_long),
    Fault(19, "huge and endless frames", hostile_clients.huge_frames),
    Fault(20, "flood and JSON bombs", hostile_clients.floods),
    Fault(21, "spectators that do not read", connections.slow_readers),
    Fault(22, "reconnect storm", connections.reconnect_storm),
    Fault(23, "worker killed in thought", bot_worker_faults.killed_while_thinking),
    Fault(24, "worker hangs, fails, is wrong", bot_worker_faults.hanging_and_wrong),
    Fault(25, "SQLite disk full", sqlite_files.disk_full, {"servers": NO_SQLITE}),
    Fault(26, "SQLite locked, backup, killed", sqlite_files.locked, {"servers": NO_SQLITE}),
    Fault(27, "soak", lambda lab: soak.soaked(lab, 10 * lab.scale.patience)),
    Fault(28, "hints lost, doubled, reordered", clocks_and_hints.lossy_hints),
    Fault(29, "session ended on a live socket", revoked_sessions.ended_sessions),
    Fault(30, "stalls, chaos, a backup", combined.stalls_and_everything),
    Fault(31, "every back-end down at once", failovers.back_ends_down),
    Fault(32, "PostgreSQL fails over", failovers.failed_over, {"embedded": NO_POSTGRES}),
)
