"""Every fault of the laboratory, briefly; `python -m tests.faults` runs them at length."""

import pytest

from tests.faults.laboratory import CI
from tests.faults.register import FAULTS
from tests.faults.runner import run
from tests.faults.servers import database_servers
from tests.faults.servers.deployments import DEPLOYMENTS

NO_SERVERS = pytest.mark.skipif(
    not database_servers.is_there(), reason="needs programs of PostgreSQL and Redis"
)
COMPUTERS_ALONE = {23}  # nobody receives a receipt there
CASES = [
    pytest.param(
        fault,
        profile,
        id=f"{fault.number}-{fault.name}-{profile}",
        marks=[NO_SERVERS] if profile == "servers" else [],
    )
    for fault in FAULTS
    for profile in DEPLOYMENTS
    if profile not in fault.not_in
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("fault", "profile"), CASES)
async def test_nothing_acknowledged_is_lost_doubled_reordered_or_leaked(fault, profile):
    outcome = await run(fault, profile, CI, "nightly")
    assert outcome.findings == ()
    assert outcome.acknowledged > 0 or (fault.number in COMPUTERS_ALONE and outcome.runs > 0)
