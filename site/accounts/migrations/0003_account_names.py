"""Add indexes for searches of accounts by name."""

import django.db.models.functions.text
from django.db import migrations, models

# PostgreSQL compares by the rules of a language: patterns need an index that compares characters.
ADD_PATTERNS = """
CREATE INDEX account_by_name_pattern ON accounts_user (lower(username) text_pattern_ops)
WHERE NOT is_guest"""
DROP_PATTERNS = "DROP INDEX account_by_name_pattern"


def add_patterns(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(ADD_PATTERNS)


def drop_patterns(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(DROP_PATTERNS)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_block_follow"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="user",
            index=models.Index(
                django.db.models.functions.text.Lower("username"),
                condition=models.Q(("is_guest", False)),
                name="account_by_name",
            ),
        ),
        migrations.RunPython(add_patterns, drop_patterns),
    ]
