"""Expand, then contract: the release before works on the tables that a migration leaves.

The rule is in site/docs/operating.md. A migration that breaks it on purpose, because the release
before no longer uses what it changes, says so: `contracts = "lobby.old_name: unused since 0.2"`.
"""

from collections.abc import Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.models.fields import NOT_PROVIDED

from tests.checks.project_files import ROOT

SITE = ROOT / "site"
HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,  # changes no table
)
ABOUT_A_MODEL = (migrations.AddConstraint, migrations.AddField, migrations.AlterField)


def own_migrations() -> dict[str, Migration]:
    """The migrations of the site's own apps, by app and name."""
    loader = MigrationLoader(None)
    own = {path.parent.name for path in SITE.glob("*/migrations")}
    found = loader.disk_migrations.items()
    return {f"{app}.{name}": each for (app, name), each in found if app in own}


def breaches(migration: Migration) -> Iterator[str]:
    """Yield what a process of the release before may fail on; the first tables have none before."""
    if migration.initial or getattr(migration, "contracts", ""):
        return
    new: set[str] = set()
    for operation in migration.operations:
        if isinstance(operation, migrations.CreateModel):
            new.add(operation.name_lower)
        elif isinstance(operation, ABOUT_A_MODEL) and operation.model_name_lower in new:
            continue
        if not is_expanding(operation):
            yield f"{type(operation).__name__}: {operation.describe()}"


def is_expanding(operation: Operation) -> bool:
    """Whether code that knows nothing of an operation goes on working."""
    if isinstance(operation, migrations.AddField):
        field = operation.field
        has_default = field.db_default is not NOT_PROVIDED
        return field.null or has_default or isinstance(field, models.ManyToManyField)
    return isinstance(operation, HARMLESS)


def test_migrations_only_expand() -> None:
    own = own_migrations()
    assert "play.0001_initial" in own
    assert all(key.endswith(".0001_initial") for key, each in own.items() if each.initial)
    found = [f"{key}: {words}" for key, each in own.items() for words in breaches(each)]
    assert found == [], "see “expand, then contract” in site/docs/operating.md"


ADDED = models.BooleanField(default=False)
BREACHES = [
    migrations.AddField("lobby", "was_public", ADDED),
    migrations.RemoveField("lobby", "rev"),
    migrations.RenameField("lobby", "rev", "version"),
    migrations.DeleteModel("lobby"),
    migrations.AlterField("lobby", "rev", models.BigIntegerField()),
    migrations.RunSQL("DROP TABLE lobby_lobby"),
    migrations.AddConstraint("lobby", models.UniqueConstraint(fields=["rev"], name="x")),
]
EXPANSIONS = [
    migrations.AddField("lobby", "was_public", models.BooleanField(db_default=False)),
    migrations.AddField("lobby", "was_public", models.BooleanField(null=True)),
    migrations.AddIndex("lobby", models.Index(fields=["rev"], name="x")),
]


@pytest.mark.parametrize("operation", [*BREACHES, *EXPANSIONS], ids=repr)
def test_the_rule_tells_them_apart(operation) -> None:
    migration = Migration("0009_x", "lobby")
    migration.operations = [operation]
    assert bool(list(breaches(migration))) == (operation in BREACHES)
    migration.contracts = "lobby.rev: unused since 0.2"
    assert list(breaches(migration)) == []


def test_a_new_table_may_have_what_it_needs() -> None:
    migration = Migration("0009_x", "lobby")
    key = [("id", models.BigAutoField(primary_key=True))]
    migration.operations = [
        migrations.CreateModel("Room", key),
        migrations.AddField("room", "is_open", models.BooleanField(default=False)),
    ]
    assert list(breaches(migration)) == []
