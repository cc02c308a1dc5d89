"""What lists of somebody's games go by is kept with the seat: opponent, rules, result.

`against` has no index and no constraint: the other seat keeps its user from being deleted, and
nobody is found by it.
"""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Case, OuterRef, Q, Subquery, Value, When


def tell(apps, schema_editor):
    """Fills the columns from games and their other seats."""
    seats, games = apps.get_model("play", "Seat").objects, apps.get_model("play", "Game").objects
    others = seats.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    own = games.filter(pk=OuterRef("game"))
    void = Q(reason__in=("aborted", "idle"))
    result = Case(
        When(ended=None, then=Value(None)),
        When(void, then=Value("void")),
        When(winner="", then=Value("drawn")),
        When(winner=OuterRef("role"), then=Value("won")),
        default=Value("lost"),
        output_field=models.CharField(null=True),
    )
    is_shown = Case(
        When(Q(is_public=True) & (Q(watch=True) | Q(ended__isnull=False)), then=Value(True)),
        default=Value(False),
    )
    seats.update(
        against=Subquery(others.values("user")[:1]),
        rules=Subquery(own.values("rules")),
        result=Subquery(own.annotate(told=result).values("told")),
        is_shown=Subquery(own.annotate(told=is_shown).values("told")),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0004_ledger"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "seat",
            "against",
            models.ForeignKey(
                settings.AUTH_USER_MODEL,
                models.DO_NOTHING,
                null=True,
                related_name="+",
                db_index=False,
                db_constraint=False,
            ),
        ),
        migrations.AddField("seat", "rules", models.CharField(max_length=32, default="")),
        migrations.AddField("seat", "result", models.CharField(max_length=5, null=True)),
        migrations.AddField("seat", "is_shown", models.BooleanField(default=False)),
        migrations.RunPython(tell, migrations.RunPython.noop),
    ]
