import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='BoardPass',
            fields=[
                ('number', models.BigAutoField(primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('building', 'Building'), ('current', 'Current'), ('old', 'Old')], default='building', max_length=8)),
                ('last_seq', models.BigIntegerField()),
                ('first_seq', models.BigIntegerField()),
                ('at', models.BigIntegerField()),
                ('took_ms', models.IntegerField(default=0)),
                ('generation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.generation')),
            ],
        ),
        migrations.CreateModel(
            name='BoardRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('speed', models.CharField(choices=[('live', 'live'), ('days', 'days')], max_length=8)),
                ('position', models.IntegerField()),
                ('place', models.IntegerField()),
                ('score', models.IntegerField()),
                ('rating', models.IntegerField()),
                ('deviation', models.IntegerField()),
                ('games', models.IntegerField()),
                ('opponents', models.IntegerField()),
                ('week_change', models.IntegerField(null=True)),
                ('board_pass', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.boardpass')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
        ),
        migrations.CreateModel(
            name='CombinedRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.IntegerField()),
                ('place', models.IntegerField()),
                ('score', models.IntegerField()),
                ('boards', models.IntegerField()),
                ('games', models.IntegerField()),
                ('board_pass', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.boardpass')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
        ),
        migrations.AddConstraint(
            model_name='boardpass',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'current')), fields=('state',), name='one_current_board_pass'),
        ),
        migrations.AddIndex(
            model_name='boardrow',
            index=models.Index(fields=['board_pass', 'rules', 'speed', 'score'], name='board_by_score'),
        ),
        migrations.AddIndex(
            model_name='boardrow',
            index=models.Index(fields=['board_pass', 'week_change'], name='board_by_week_change'),
        ),
        migrations.AddConstraint(
            model_name='boardrow',
            constraint=models.UniqueConstraint(fields=('board_pass', 'rules', 'speed', 'position'), name='one_row_a_position'),
        ),
        migrations.AddConstraint(
            model_name='boardrow',
            constraint=models.UniqueConstraint(fields=('board_pass', 'person', 'rules', 'speed'), name='one_row_a_person'),
        ),
        migrations.AddConstraint(
            model_name='combinedrow',
            constraint=models.UniqueConstraint(fields=('board_pass', 'position'), name='one_combined_row_a_position'),
        ),
        migrations.AddConstraint(
            model_name='combinedrow',
            constraint=models.UniqueConstraint(fields=('board_pass', 'person'), name='one_combined_row_a_person'),
        ),
    ]
