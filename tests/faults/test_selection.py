"""Selection of faults for every push; see `python -m tests.faults`."""

import pytest

from tests.faults.laboratory import CI
from tests.faults.register import FAULTS
from tests.faults.runner import run

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]
CHOSEN = [fault for fault in FAULTS if fault.number in {1, 10, 11, 12, 13, 16, 20, 25, 26, 28}]


@pytest.mark.parametrize("fault", CHOSEN, ids=lambda fault: f"{fault.number}-{fault.name}")
async def test_nothing_acknowledged_is_lost_doubled_reordered_or_leaked(fault):
    outcome = await run(fault, "embedded", CI, "ci")
    assert outcome.findings == ()
    assert outcome.acknowledged > 0
