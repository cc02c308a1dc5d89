"""The score of somebody against each opponent is counted along an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0006_lists_by_index")]

    operations = [
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["user", "against", "result", "is_shown", "rules"], name="seat_scores"
            ),
        ),
    ]
