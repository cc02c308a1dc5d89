from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matchmaking', '0002_named_lease'),
    ]

    operations = [
        migrations.AddField(
            model_name='search',
            name='is_rated',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='search',
            name='rated',
            field=models.CharField(choices=[('no', 'No'), ('yes', 'Yes'), ('either', 'Either')], db_default='no', default='no', max_length=6),
        ),
    ]
