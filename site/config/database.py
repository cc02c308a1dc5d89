"""Django's DATABASES: SQLite in the data folder, or PostgreSQL by `DATABASE_URL`."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.numbers import whole

# Connections that one process may open: one each for what is read and what is written of games, the
# others for pages. All processes together need room in PostgreSQL (`max_connections`, 100).
POOL = 8
LIKE = "like postgres://user:password@host:5432/name"
PATIENCE = 5  # seconds for a connection, and for a row that another one holds

# WAL with synchronous=FULL: a commit that was acknowledged survives a power cut.
# IMMEDIATE: two writers wait for each other instead of failing halfway.
SQLITE = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;",
}


# A host that has vanished is noticed within some seconds. A process that is stopped in the middle
# of a transaction holds nobody up for longer than the server waits for it.
PATIENT = {
    "connect_timeout": PATIENCE,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": f"-c lock_timeout={PATIENCE}s -c idle_in_transaction_session_timeout=10s",
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
        raise ImproperlyConfigured(f"DATABASE_URL is {LIKE}")
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise ImproperlyConfigured("DATABASE_URL needs psycopg: pip install -r requirements.txt")
    _reconnect_quickly()
    # A connection that outlived its thread would never be closed: hence age 0, and a pool.
    try:
        settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0))
    except ValueError:
        raise ImproperlyConfigured(f"DATABASE_URL is {LIKE}; other signs are %-encoded") from None
    if not settings["NAME"] and "service" not in settings.get("OPTIONS", {}):
        raise ImproperlyConfigured(f"DATABASE_URL names no database; it is {LIKE}")
    settings["CONN_HEALTH_CHECKS"] = True  # what a restart of PostgreSQL has cut is not handed out
    pool = {
        "min_size": 2,
        "max_size": whole(environment, "QUIVER_POOL", POOL, least=3),
        "timeout": PATIENCE,
        "reconnect_timeout": PATIENCE,  # after that, whoever asks next has it tried anew
    }
    settings["OPTIONS"] = {**PATIENT, **settings.get("OPTIONS", {}), "pool": pool}
    return settings


def _reconnect_quickly() -> None:
    """Shortens the pauses between the pool's tries to connect, for which it has no setting: they
    begin with a second, in which PostgreSQL has long been restarted. A pool that keeps them
    elsewhere goes by its own."""
    pauses = getattr(import_module("psycopg_pool.base"), "AttemptWithBackoff", None)
    if pauses is not None:
        pauses.INITIAL_DELAY, pauses.DELAY_BACKOFF = 0.1, 1.4
