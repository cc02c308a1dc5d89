"""The table of faults: number, name, what runs it, and where it does not apply."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.faults import dying, races
from tests.faults.laboratory import Figure, Laboratory

Run = Callable[[Laboratory], Awaitable[list[Figure]]]
NO_REDIS = "there is no Redis"
NO_POSTGRES = "there is no PostgreSQL"
NO_SQLITE = "the database is not a file of SQLite"


@dataclass(frozen=True)
class Fault:
    """One of the thirty. `not_in` says for a profile why it does not apply there."""

    number: int
    name: str
    run: Run
    not_in: dict[str, str] = field(default_factory=dict)


FAULTS = (
    Fault(1, "server killed mid-submission", dying.killed_mid_submission),
    Fault(2, "server killed at the reveal", dying.killed_at_the_reveal),
    Fault(3, "rolling deploy by SIGTERM", dying.deployed_anew),
    Fault(10, "race for the last seal", races.last_seal),
    Fault(11, "two tabs, different troops", races.two_tabs),
    Fault(12, "doubled frames", races.doubled_frames),
    Fault(13, "stale and swapped frames", races.out_of_order),
    Fault(18, "down while clocks run", dying.down_for_long),
)
