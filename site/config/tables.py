"""Whether the database has the tables that this code knows."""

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def are_made() -> bool:
    """Whether no migration is left to be done."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def make() -> None:
    """Migrates; Django's command looks at much more, so it is left out where nothing is to do."""
    if not are_made():
        call_command("migrate", interactive=False, verbosity=0)
