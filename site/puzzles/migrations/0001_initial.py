import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('accounts', '__first__'),
        ('play', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='MinedGame',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='play.game')),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('is_done', models.BooleanField(default=False)),
                ('found', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='PuzzleRating',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('rating', models.IntegerField(default=1500000)),
                ('deviation', models.IntegerField(default=350000)),
                ('volatility', models.IntegerField(default=60000000)),
                ('at', models.BigIntegerField(default=0)),
                ('puzzles', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=16, unique=True)),
                ('rules', models.CharField(max_length=32)),
                ('position', models.TextField()),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('kind', models.CharField(max_length=16)),
                ('solution', models.JSONField()),
                ('proof', models.JSONField()),
                ('digest', models.CharField(max_length=16)),
                ('rating', models.IntegerField(default=1500000)),
                ('deviation', models.IntegerField(default=350000)),
                ('volatility', models.IntegerField(default=60000000)),
                ('plays', models.PositiveIntegerField(default=0)),
                ('solved', models.PositiveIntegerField(default=0)),
                ('made', models.BigIntegerField()),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='play.game')),
            ],
            options={
                'indexes': [models.Index(fields=['rating'], name='puzzle_by_rating'), models.Index(fields=['rules', 'rating'], name='puzzle_by_rules')],
            },
        ),
        migrations.CreateModel(
            name='DailyPosition',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('puzzle', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='daily', to='puzzles.puzzle')),
            ],
        ),
        migrations.CreateModel(
            name='PuzzleAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(null=True)),
                ('tries', models.PositiveSmallIntegerField()),
                ('turns', models.JSONField()),
                ('is_solved', models.BooleanField(default=False)),
                ('began', models.BigIntegerField()),
                ('ended', models.BigIntegerField(null=True)),
                ('rating_before', models.IntegerField(null=True)),
                ('rating_after', models.IntegerField(null=True)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='puzzles.puzzle')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'puzzle'), name='one_attempt_a_puzzle'), models.UniqueConstraint(fields=('user', 'day'), name='one_attempt_a_day')],
            },
        ),
    ]
