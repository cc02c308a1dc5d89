"""Entries are chained and hold lag and clock; seals get a salt, and keep it when they open.

What stands in entries of before stays as it is: they are chained as they are, with an empty clock.
A seal that waits gets a salt; what was sealed before was never committed to, and shows no proof.
"""

import json
import secrets
from hashlib import sha256

from django.db import migrations, models

GENESIS = "0" * 64  # as `games.ledger` has it; a migration keeps to what it was written for


def chained(previous, slug, entry):
    """The hash of an entry of before."""
    text = json.dumps(
        {
            "game": slug,
            "rev": entry.rev,
            "kind": entry.kind,
            "role": entry.role,
            "id": entry.action_id,
            "at": entry.received_at,
            "lag": 0,
            "clock": {},
            "body": json.loads(entry.body),
        },
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return sha256(f"{previous}\n{text}".encode()).hexdigest()


def chain(apps, schema_editor):
    """Gives every entry its hash, and every game the newest."""
    games = apps.get_model("play", "Game").objects
    entries = apps.get_model("play", "Entry").objects
    for pk, slug in games.values_list("pk", "slug").iterator():
        head, batch = GENESIS, []
        for entry in entries.filter(game=pk).order_by("rev"):
            entry.hash = head = chained(head, slug, entry)
            batch.append(entry)
        entries.bulk_update(batch, ["hash"], batch_size=200)
        games.filter(pk=pk).update(head=head)


def salt(apps, schema_editor):
    """Gives every seal that waits a salt of its own."""
    for seal in apps.get_model("play", "Sealed").objects.iterator():
        seal.salt = secrets.token_hex(16)
        seal.save(update_fields=["salt"])


class Migration(migrations.Migration):
    dependencies = [("play", "0003_computers")]

    operations = [
        migrations.AddField("game", "head", models.CharField(default="", max_length=64)),
        migrations.AddField("entry", "lag", models.IntegerField(default=0)),
        migrations.AddField("entry", "clock", models.TextField(default="{}")),
        migrations.AddField("entry", "hash", models.CharField(default="", max_length=64)),
        migrations.AddField("sealed", "salt", models.CharField(default="", max_length=32)),
        migrations.AddField("turn", "seals", models.TextField(default="{}")),
        migrations.RunPython(chain, migrations.RunPython.noop),
        migrations.RunPython(salt, migrations.RunPython.noop),
    ]
