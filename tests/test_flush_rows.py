"""Tests of the flush between tests: nothing that a test wrote is left for the next one."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from accounts.models import Session, User
from play.models import Game
from tests.support.run.flush_rows import KEPT_TABLES


def rows_by_table() -> dict[str, int]:
    counts = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")
            counts[table] = cursor.fetchone()[0]
    return counts


def test_a_flush_empties_all_tables_but_types_and_permissions(opened) -> None:
    opened("pincer")
    user = User.objects.get(username="ada")
    user.user_permissions.add(Permission.objects.first())  # refers to a table that is kept
    assert {"accounts_user", "play_game"} <= {
        name for name, rows in rows_by_table().items() if rows
    }
    call_command("flush", verbosity=0, interactive=False)
    assert {name for name, rows in rows_by_table().items() if rows} == KEPT_TABLES
    assert Permission.objects.count() >= 4 * len({User, Session, Game})
    assert ContentType.objects.get_for_model(Game).model_class() is Game


@pytest.mark.parametrize(("is_reset", "first"), [(True, 1), (False, 2)])
def test_keys_begin_anew_only_if_asked_for(transactional_db, is_reset: bool, first: int) -> None:
    call_command("flush", verbosity=0, interactive=False)
    assert User.objects.create(username="ada").pk == 1
    call_command("flush", verbosity=0, interactive=False, reset_sequences=is_reset)
    assert User.objects.create(username="ada").pk == first
