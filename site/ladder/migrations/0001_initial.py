import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('play', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Rung',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('level', models.PositiveSmallIntegerField()),
                ('at', models.BigIntegerField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'rules', 'level'), name='one_rung_a_level')],
            },
        ),
        migrations.CreateModel(
            name='LadderGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('level', models.PositiveSmallIntegerField()),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('is_won', models.BooleanField()),
                ('is_void', models.BooleanField()),
                ('turns', models.PositiveIntegerField()),
                ('spent_ms', models.BigIntegerField(null=True)),
                ('ended', models.BigIntegerField()),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='play.game')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rung', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='games', to='ladder.rung')),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'rules', 'level', 'ended'], name='ladder_games_of_user'), models.Index(condition=models.Q(('is_void', False)), fields=['rules', 'level', 'is_won', 'turns'], name='ladder_records'), models.Index(condition=models.Q(('is_void', False), ('is_won', True)), fields=['rules', 'level', 'ended'], name='ladder_wins')],
            },
        ),
    ]
