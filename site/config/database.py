"""Where games are kept: SQLite in the data folder, or PostgreSQL by `DATABASE_URL`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

POOL = 8  # connections that one process may open; all processes together need room in PostgreSQL

# WAL with synchronous=FULL: a commit that was acknowledged survives a power cut.
# IMMEDIATE: two writers wait for each other instead of failing halfway.
SQLITE = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;",
}


def database(environment: Mapping[str, str], data: Path) -> dict[str, Any]:
    """Django's settings of the one database. Raises ImproperlyConfigured for a URL of anything
    else than PostgreSQL; the URL itself is not repeated, since it may hold a password."""
    url = environment.get("DATABASE_URL", "")
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": data / "quiver.sqlite3",
            "OPTIONS": SQLITE,
            "TEST": {"NAME": data / "test.sqlite3"},
        }
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured("DATABASE_URL is like postgres://user:password@host:5432/name")
    # A connection that outlived its thread would never be closed: hence age 0, and a pool.
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0))
    size = int(environment.get("QUIVER_POOL", POOL))
    pool = {"min_size": 2, "max_size": size, "timeout": 10}
    settings["OPTIONS"] = {**settings.get("OPTIONS", {}), "pool": pool}
    return settings
