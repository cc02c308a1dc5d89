"""Indexes for what is listed, and none that another one serves or that each action has to write.

They are made while no server runs on the tables: `serve` migrates before it starts, and processes
of before could not write seats any more.
"""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

OVER = Q(ended__isnull=False, is_public=True)


def unindexed(model, column, index, **field):
    """A foreign key without its own index. It is dropped by its name: to alter the field, SQLite
    would copy the table."""
    create = f'CREATE INDEX "{index}" ON "play_{model}" ("{column}_id")'
    return migrations.SeparateDatabaseAndState(
        [migrations.RunSQL(f'DROP INDEX IF EXISTS "{index}"', create)],
        [migrations.AlterField(model, column, models.ForeignKey(db_index=False, **field))],
    )


def of_game(model, index, name):
    """The same for the game of a row."""
    about = {"to": "play.game", "on_delete": models.CASCADE, "related_name": name}
    return unindexed(model, "game", index, **about)


class Migration(migrations.Migration):
    dependencies = [("play", "0005_seats_tell_their_games")]

    operations = [
        migrations.AlterField(
            "seat",
            "against",
            models.ForeignKey(
                settings.AUTH_USER_MODEL,
                models.DO_NOTHING,
                related_name="+",
                db_index=False,
                db_constraint=False,
            ),
        ),
        migrations.AlterField("seat", "rules", models.CharField(max_length=32)),
        migrations.AlterField("seat", "is_shown", models.BooleanField()),
        of_game("entry", "play_entry_game_id_dd3ce507", "entries"),
        of_game("sealed", "play_sealed_game_id_06fb5a73", "sealed"),
        of_game("seat", "play_seat_game_id_304915bc", "seats"),
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["user", "id", "is_shown", "result", "rules", "against"], name="seat_games"
            ),
        ),
        migrations.AddIndex(
            "seat",
            models.Index(fields=["user", "game"], name="seat_running", condition=Q(result=None)),
        ),
        unindexed(
            "seat",
            "user",
            "play_seat_user_id_723c808e",
            to=settings.AUTH_USER_MODEL,
            on_delete=models.PROTECT,
            related_name="seats",
        ),
        migrations.RemoveIndex("game", "game_deadline"),
        migrations.RemoveIndex("game", "game_listed"),
        migrations.RemoveIndex("game", "game_idle"),
        migrations.RemoveIndex("game", "game_computers"),
        migrations.AddIndex(
            "game",
            models.Index(
                fields=["deadline"], name="game_timed", condition=Q(deadline__isnull=False)
            ),
        ),
        migrations.AddIndex(
            "game",
            models.Index(
                fields=["created"], name="game_slow", condition=Q(ended=None, clock_kind="none")
            ),
        ),
        migrations.AddIndex(
            "game",
            models.Index(
                fields=["created"], name="game_bots", condition=Q(ended=None, has_bot=True)
            ),
        ),
        migrations.AddIndex(
            "game",
            models.Index(
                fields=["created"], name="game_watched", condition=Q(ended=None, is_public=True)
            ),
        ),
        migrations.AddIndex(
            "game", models.Index(fields=["ended"], name="game_over", condition=OVER)
        ),
        migrations.AddIndex(
            "game",
            models.Index(fields=["rules", "ended"], name="game_over_by_rules", condition=OVER),
        ),
    ]
