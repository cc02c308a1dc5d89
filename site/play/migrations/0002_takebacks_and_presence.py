"""Takebacks, offers with an age, games without spectators, and when a seat was last there."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery


def offers_from_columns(apps, schema_editor):
    """Standing draw offers move to the new column; their age counts from the last change."""
    games = apps.get_model("play", "Game").objects
    for game in games.exclude(draw_by="").only("draw_by", "draw_rev", "changed").iterator():
        offer = f'{{"draw":{{"at":{game.changed},"by":"{game.draw_by}","rev":{game.draw_rev}}}}}'
        games.filter(pk=game.pk).update(offers=offer)


def seen_at_the_last_change(apps, schema_editor):
    """Nobody is called gone for longer than his game has stood still."""
    changed = apps.get_model("play", "Game").objects.filter(pk=OuterRef("game"))
    apps.get_model("play", "Seat").objects.update(seen=Subquery(changed.values("changed")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("game", "watch", models.BooleanField(default=True)),
        migrations.AddField("game", "offers", models.TextField(default="{}")),
        migrations.AddField("game", "takebacks", models.IntegerField(default=0)),
        migrations.AddField("seat", "seen", models.BigIntegerField(default=0)),
        migrations.AddField("turn", "undone", models.IntegerField(null=True)),
        migrations.AlterField("entry", "kind", models.CharField(max_length=20)),
        migrations.RunPython(offers_from_columns, migrations.RunPython.noop),
        migrations.RunPython(seen_at_the_last_change, migrations.RunPython.noop),
        migrations.RemoveField("game", "draw_by"),
        migrations.RemoveField("game", "draw_rev"),
        migrations.RemoveConstraint("turn", "one_turn_a_number"),
        migrations.AddConstraint(
            "turn",
            models.UniqueConstraint(
                fields=["game", "number"], name="one_turn_a_number", condition=Q(undone=None)
            ),
        ),
        migrations.AddIndex(
            "game",
            models.Index(
                fields=["changed"], name="game_idle", condition=Q(ended=None, clock_kind="none")
            ),
        ),
    ]
