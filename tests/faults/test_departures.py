"""The laws of the laboratory know that a name changes when somebody deletes himself."""

from types import SimpleNamespace

import pytest

from tests.faults.laws.evidence import DEPARTURE, Evidence


def evidence(entries: list[str], *names: str) -> Evidence:
    rows = SimpleNamespace(entries=[{"action_id": each} for each in entries])
    clients = [
        SimpleNamespace(state={"seats": {"white": {"name": name}, "black": {"name": "bob"}}})
        for name in names
    ]
    return Evidence(rows, [*clients, SimpleNamespace(state=None)])


@pytest.mark.parametrize(
    ("entries", "names", "has_departed"),
    [
        (["a-1", DEPARTURE], ["ada"], True),  # resigned by the site
        (["a-1"], ["ada", "deleted-7f3a02"], True),  # the game was over before
        (["a-1"], ["ada", "ada"], False),
        ([], [], False),
    ],
)
def test_somebody_has_departed_by_the_log_or_by_the_name(entries, names, has_departed) -> None:
    assert evidence(entries, *names).has_departed is has_departed
