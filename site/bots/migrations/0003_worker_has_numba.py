"""Workers say whether they have numba."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0002_leases_left"),
    ]

    operations = [
        migrations.AddField(
            model_name="worker",
            name="has_numba",
            field=models.BooleanField(default=True),
        ),
    ]
