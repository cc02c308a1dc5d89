"""One fault of each kind on every change; tests/faults/nightly has all of them."""

import pytest

from tests.faults.laboratory import CI
from tests.faults.register import FAULTS
from tests.faults.runner import run
from tests.faults.servers import database_servers

BY_NUMBER = {fault.number: fault for fault in FAULTS}
CHOSEN = {
    1: ("embedded", "SIGKILL of the server while turns come in"),
    4: ("servers", "Redis killed and restarted"),
    10: ("embedded", "two seals that race"),
    16: ("embedded", "a connection cut between a turn and its receipt"),
    25: ("embedded", "a full disk"),
}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", CHOSEN, ids=lambda number: CHOSEN[number][1])
async def test_nothing_acknowledged_is_lost_doubled_reordered_or_leaked(number):
    profile, _ = CHOSEN[number]
    if profile == "servers" and not database_servers.is_there():
        pytest.skip("needs programs of PostgreSQL and Redis")
    outcome = await run(BY_NUMBER[number], profile, CI, "gate")
    assert outcome.findings == ()
    assert outcome.acknowledged > 0
