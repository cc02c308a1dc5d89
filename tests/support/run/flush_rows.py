"""The `flush` between tests: deletes rows, where Django truncates and migrates.

Django's own truncates all tables on PostgreSQL, which makes new files for each table and index, and
then sends `post_migrate`, which writes all content types and permissions anew: 80 ms of CPU and up
to 1 s of waiting for the disk after each test with a transaction of its own. Here the tables that
hold rows are emptied by DELETE, and the rows that `post_migrate` would write stay.
"""

from functools import cache
from typing import Any, Final

from django.core.management.color import no_style
from django.core.management.commands import flush
from django.db import connections, transaction

# Tables that migrations fill with constant rows, to which other tables refer.
KEPT_TABLES: Final = frozenset({"django_content_type", "auth_permission"})


class Command(flush.Command):
    """Empty all tables of the site but KEPT_TABLES; keys begin anew only if asked for."""

    def handle(self, **options: Any) -> None:
        connection = connections[options["database"]]
        models = connection.introspection.django_table_names(include_views=False)
        tables = [connection.ops.quote_name(name) for name in sorted({*models} - KEPT_TABLES)]
        has_rows = ", ".join(f"EXISTS (SELECT 1 FROM {table})" for table in tables)
        with (
            transaction.atomic(using=connection.alias),  # foreign keys are checked at its end
            connection.cursor() as cursor,
        ):
            if connection.vendor == "postgresql":  # waits for what threads still write
                cursor.execute(f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE")
            cursor.execute(f"SELECT {has_rows}")
            for table, is_used in zip(tables, cursor.fetchone(), strict=True):
                if is_used:
                    cursor.execute(f"DELETE FROM {table}")
            if options.get("reset_sequences", True):
                numbered = [
                    each for each in sequences(connection.alias) if each["table"] not in KEPT_TABLES
                ]
                for statement in connection.ops.sequence_reset_by_name_sql(no_style(), numbered):
                    cursor.execute(statement)


@cache
def sequences(alias: str) -> list[dict[str, Any]]:
    """Return what numbers the rows of each table; on PostgreSQL that is a query for each table."""
    return connections[alias].introspection.sequence_list()


def use_in_tests() -> None:
    """Let `call_command("flush")` find this command."""
    setattr(flush, "Command", Command)  # noqa: B010 -- mypy takes the name for a type
