"""Indexes of the open lobbies alone: of those that somebody has made or sits in, and of all."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("lobby", "0002_gathering")]

    operations = [
        migrations.RemoveIndex("lobby", "lobby_listed"),
        *(
            migrations.AddIndex(
                "lobby",
                models.Index(
                    fields=[column], name=f"lobby_open_{column}", condition=Q(status="open")
                ),
            )
            for column in ("created", "host", "one", "two")
        ),
    ]
