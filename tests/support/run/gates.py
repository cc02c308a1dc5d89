"""The gates of the tests; tests/README.md says which gate holds which law.

`python -m tests.support.run.gates quick|dual|checks` prints the paths of a gate, for pytest.
"""

import os
import sys
from pathlib import Path
from typing import Any, Final

import pytest

TESTS: Final = Path(__file__).parents[2]
# `make nightly` sets it: then nothing is left to another gate.
IS_NIGHTLY: Final = os.environ.get("QUIVER_TESTS_NIGHTLY") == "1"
# `make test`: rules, computer players and services, without their slow tests.
QUICK: Final = ("games", "players", "play", "lobby", "watch", "ratings/ladder", "chat", "assets")
# Tests whose subject differs between SQLite and PostgreSQL with Redis: statements, transactions,
# retries, compare-and-swap, locks, the pool, collation, JSON, and what processes tell each other.
DUAL: Final = (
    "accounts/test_name_claims.py",
    "accounts/test_outage_log.py",
    "accounts/test_session_engine.py",
    "bots/test_bots_failures.py",
    "analysis/explorer/test_opening_counts.py",
    "ratings/fair_play/test_ruling_holds.py",
    "ratings/ladder/test_ladder_applier.py",
    "watch/test_list_queries.py",
    "lobby/test_lobby_cleanup.py",
    "watch/test_public_lists.py",
    "lobby/test_seat_order.py",
    "lobby/test_tidying.py",
    "lobby/pairing/test_search_service.py",
    "lobby/pairing/test_waiting_hosts.py",
    "notices/delivery/test_queue.py",
    "notices/derive/test_derive_crashes.py",
    "notices/push/test_device_races.py",
    "pages/people/test_players.py",
    "pages/test_page_lists.py",
    "play/runtime",
    "play/storage",
    "play/test_game_commands.py",
    "play/test_receipts.py",
    "puzzles/test_attempts.py",
    "ratings/test_applier.py",
    "ratings/leaderboards/test_leaderboard_reads.py",
    "ratings/test_generations.py",
    "analysis/studies/test_studies.py",
    "test_flush_rows.py",
)


def nightly(*cases: Any) -> list[Any]:
    """Return cases for `parametrize` and `params` that run nightly alone; a tuple is one case."""
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*each, marks=pytest.mark.nightly) for each in values]


def is_dual(path: Path) -> bool:
    """Return whether the tests of a file run on both databases on every change."""
    return any(path.is_relative_to(each) for each in paths_of("dual"))


def paths_of(gate: str) -> list[Path]:
    """Return the paths of a gate that is a part of the folder `tests`."""
    return [TESTS / path for path in {"quick": QUICK, "dual": DUAL, "checks": ("checks",)}[gate]]


if __name__ == "__main__":
    print(*(path.relative_to(TESTS.parent) for path in paths_of(sys.argv[1])))
