"""The table of the laboratory's last runs keeps old rows and replaces its own."""

import pytest

from tests.faults import results_table
from tests.faults.laboratory import Figure
from tests.faults.laws.evidence import Finding
from tests.faults.runner import KINDS, Outcome


def outcome(number: int, profile: str = "embedded", **rest) -> Outcome:
    return Outcome(number, f"fault {number}", profile, 1.0, runs=1, **rest)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "laboratory.md"


def rows(file) -> list[str]:
    return [line for line in file.read_text().splitlines() if results_table.ROW.match(line)]


def test_a_run_replaces_its_own_rows_and_keeps_the_others(file):
    results_table.update(file, [outcome(2, acknowledged=10), outcome(1, acknowledged=20)], "full")
    results_table.update(file, [outcome(1, acknowledged=30)], "full")
    results_table.update(file, [outcome(1, "servers", acknowledged=40)], "full")
    results_table.update(file, [outcome(1, acknowledged=50)], "quick")
    assert [results_table.key_of(row) for row in rows(file)] == [
        (1, "embedded", "full"),
        (1, "embedded", "quick"),
        (1, "servers", "full"),
        (2, "embedded", "full"),
    ]
    assert [row.split(" | ")[7] for row in rows(file)] == ["30", "50", "40", "10"]


def test_of_several_runs_the_worst_is_shown(file):
    finding = Finding(KINDS[0], "a law", "an action is gone")
    missed = Figure("seconds", 9.0, 1.0)
    runs = [outcome(1, findings=(finding,)), outcome(1, figures=(missed,)), outcome(1)]
    results_table.update(file, runs, "full")
    (only,) = rows(file)
    assert only.split(" | ")[8] == "1"


def test_a_missed_limit_is_marked(file):
    missed, met = Figure("delay", 9.0, 1.0, " s"), Figure("others", 0.5, 1.0, " s")
    results_table.update(file, [outcome(1, figures=(missed, met))], "full")
    assert "✗ delay 9 s (≤ 1); others 0.5 s (≤ 1)" in rows(file)[0]


def test_what_does_not_apply_says_why(file):
    results_table.update(file, [outcome(4, note="does not apply: there is no Redis")], "full")
    assert "does not apply: there is no Redis" in rows(file)[0]


def test_a_note_with_a_bar_stays_in_its_cell(file):
    results_table.update(file, [outcome(4, note="a | b")], "full")
    assert rows(file)[0].count("|") == len(results_table.COLUMNS) + 1


def test_the_file_says_what_its_rows_mean(file):
    results_table.update(file, [outcome(1)], "full")
    assert file.read_text().startswith(results_table.HEAD)
