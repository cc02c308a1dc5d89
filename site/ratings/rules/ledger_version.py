"""Skip games whose log only a newer version of this program can verify."""

import json

from games.ledger import NEWEST_FORMAT_VERSION
from play.storage.verification import Rows


class NewerLedger(Exception):
    """A game's log has a format that only a newer version of this program can verify."""


def check_version(rows: Rows) -> None:
    """Raise NewerLedger if a game's log is newer than this program.

    The entry of a game is final, so it is left to a process of the newer version, which can verify
    the log.
    """
    if (version := _ledger_version(rows)) > NEWEST_FORMAT_VERSION:
        raise NewerLedger(f"format {version} of the log is newer than {NEWEST_FORMAT_VERSION}")


def _ledger_version(rows: Rows) -> int:
    """Return the format number of a log; 0 if none can be read, which is a fault of the log."""
    try:
        opening = json.loads(rows.entries[0].body) if rows.entries else None
    except ValueError:
        return 0
    version = opening.get("format") if isinstance(opening, dict) else None
    return version if isinstance(version, int) else 0
