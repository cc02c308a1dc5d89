"""Check and run the migrations of the database."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core import checks
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

LOCK_ID = 7_160_302  # of the lock below, among PostgreSQL's advisory locks
LOCK_RETRY_S = 0.1
OLD_TABLE = "play_turn"  # of the versions before the first release; steps lie in play_step
OLD_DATABASE = (
    f"The database has the tables of a version before the first release ({OLD_TABLE}), which this "
    "version cannot read. Set QUIVER_DATA to an empty folder, or DATABASE_URL to an empty database."
)

OTHER_TABLES = (
    "The tables of the database are of another release ({}). "
    "Run “manage.py migrate” (or “serve”) first."
)


class OldDatabase(Exception):
    """The database is of a version before the first release."""


def is_migrated() -> bool:
    """Return whether all migrations are applied."""
    if is_old():
        return False
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def is_old() -> bool:
    """Return whether the database is of a version before the first release."""
    return OLD_TABLE in connection.introspection.table_names()


def explain(error: DatabaseError) -> str:
    """Return a sentence for the operator if the tables caused an error of a command; else ""."""
    try:
        if is_old():
            return OLD_DATABASE
        return "" if is_migrated() else OTHER_TABLES.format(str(error).strip())
    except DatabaseError:  # the database does not answer at all
        return ""


@contextmanager
def hold_lock() -> Iterator[None]:
    """Hold the lock under which one process at a time prepares the database and static files.

    On SQLite there is one web process.
    """
    if connection.vendor == "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        while not _try_lock(cursor):  # waiting for it would end with the site's lock_timeout
            time.sleep(LOCK_RETRY_S)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_ID])


def _try_lock(cursor: Any) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_ID])
    return bool(cursor.fetchone()[0])


def migrate() -> None:
    """Run the migrations that are missing. Raises `OldDatabase`.

    Django's command is slow, so it is skipped if no migration is missing.
    """
    if is_old():
        raise OldDatabase(OLD_DATABASE)
    if not is_migrated():
        call_command("migrate", interactive=False, verbosity=0)


def check_database(
    databases: Sequence[str] | None = None, **kwargs: object
) -> list[checks.CheckMessage]:
    """Refuse an old database; `manage.py migrate` runs this first, as it names its databases."""
    return [checks.Error(OLD_DATABASE, id="quiver.E010")] if databases and is_old() else []
