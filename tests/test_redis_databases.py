"""Workers of a run on Redis use databases of their own."""

import pytest

from tests.support.run.redis_databases import numbered


@pytest.mark.parametrize(
    ("url", "worker", "own"),
    [
        ("redis://127.0.0.1:6379/9", "gw0", "redis://127.0.0.1:6379/10"),
        ("redis://:secret@127.0.0.1/14", "gw3", "redis://:secret@127.0.0.1/2"),
        ("redis://127.0.0.1", "gw1", "redis://127.0.0.1/2"),
    ],
)
def test_each_worker_has_a_number(url, worker, own) -> None:
    assert numbered(url, worker) == own
