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
            name='DriftReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.IntegerField()),
                ('rules', models.CharField(max_length=32)),
                ('people', models.IntegerField()),
                ('games', models.IntegerField()),
                ('points', models.IntegerField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('month', 'rules'), name='one_drift_report_a_month')],
            },
        ),
        migrations.CreateModel(
            name='Generation',
            fields=[
                ('number', models.BigAutoField(primary_key=True, serialize=False)),
                ('last_seq', models.BigIntegerField(default=0)),
                ('is_current', models.BooleanField(default=False)),
                ('made', models.BigIntegerField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('is_current',), name='one_current_rating_generation')],
            },
        ),
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
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'current')), fields=('state',), name='one_current_board_pass')],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('number', models.BigAutoField(primary_key=True, serialize=False)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='FurtherEntry',
            fields=[
                ('seq', models.BigIntegerField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('anchors', 'Anchors'), ('placement', 'Placement'), ('advantage', 'Advantage')], max_length=12)),
                ('at', models.BigIntegerField()),
                ('rules', models.CharField(max_length=32)),
                ('speed', models.CharField(blank=True, choices=[('live', 'live'), ('days', 'days')], max_length=8)),
                ('content', models.TextField(blank=True)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
            options={
                'indexes': [models.Index(fields=['kind', 'rules', 'seq'], name='further_entries_of_kind')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('kind', 'placement')), fields=('person', 'rules', 'speed'), name='one_placement_entry_a_pool')],
            },
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
            options={
                'constraints': [models.UniqueConstraint(fields=('board_pass', 'position'), name='one_combined_row_a_position'), models.UniqueConstraint(fields=('board_pass', 'person'), name='one_combined_row_a_person')],
            },
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
                ('rounds', models.IntegerField(db_default=0, default=0)),
                ('round_points', models.IntegerField(null=True)),
                ('board_pass', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.boardpass')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
            options={
                'indexes': [models.Index(fields=['board_pass', 'rules', 'speed', 'score'], name='board_by_score'), models.Index(fields=['board_pass', 'week_change'], name='board_by_week_change')],
                'constraints': [models.UniqueConstraint(fields=('board_pass', 'rules', 'speed', 'position'), name='one_row_a_position'), models.UniqueConstraint(fields=('board_pass', 'person', 'rules', 'speed'), name='one_row_a_person')],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('speed', models.CharField(choices=[('live', 'live'), ('days', 'days')], max_length=8)),
                ('state', models.CharField(choices=[('open', 'Open'), ('done', 'Done'), ('void', 'Void')], default='open', max_length=4)),
                ('why_void', models.CharField(blank=True, choices=[('anchors', 'Anchors'), ('empty', 'Empty'), ('played', 'Played'), ('left', 'Left')], max_length=8)),
                ('is_finishing', models.BooleanField(default=False)),
                ('started', models.BigIntegerField()),
                ('anchors', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.furtherentry')),
                ('entry', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='placement', to='ratings.furtherentry')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['id'], name='open_placements')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('user', 'rules', 'speed'), name='one_open_placement_a_pool')],
            },
        ),
        migrations.CreateModel(
            name='PlacementGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.PositiveSmallIntegerField()),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('result', models.CharField(blank=True, choices=[('', 'pending'), ('won', 'Won'), ('drawn', 'Drawn'), ('lost', 'Lost'), ('void', 'Void')], default='', max_length=5)),
                ('ended', models.BigIntegerField(null=True)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='play.game')),
                ('placement', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='ratings.placement')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('result', '')), fields=['game'], name='pending_placement_games')],
            },
        ),
        migrations.CreateModel(
            name='RatingEntry',
            fields=[
                ('seq', models.BigIntegerField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('game', 'Game'), ('annulment', 'Annulment'), ('restoration', 'Restoration')], max_length=12)),
                ('at', models.BigIntegerField()),
                ('rules', models.CharField(blank=True, max_length=32)),
                ('speed', models.CharField(blank=True, choices=[('live', 'live'), ('days', 'days')], max_length=8)),
                ('winner', models.CharField(blank=True, max_length=5)),
                ('not_rated', models.CharField(blank=True, choices=[('guest', 'guest'), ('computer', 'computer'), ('no_clock', 'no_clock'), ('no_turn', 'no_turn'), ('aborted', 'aborted'), ('serial_timeout', 'serial_timeout'), ('related', 'related'), ('pair_limit', 'pair_limit'), ('unverified', 'unverified'), ('annulled', 'annulled')], max_length=16)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('black', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='play.game')),
                ('white', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('kind', 'game'), _negated=True), fields=['seq'], name='rating_corrections'), models.Index(fields=['white', 'seq'], name='rating_entry_of_white'), models.Index(fields=['black', 'seq'], name='rating_entry_of_black')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('kind', 'game')), fields=('game',), name='one_rating_entry_a_game')],
            },
        ),
        migrations.CreateModel(
            name='RatedGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('white_rating_before', models.IntegerField()),
                ('white_deviation_before', models.IntegerField()),
                ('white_volatility_before', models.IntegerField()),
                ('black_rating_before', models.IntegerField()),
                ('black_deviation_before', models.IntegerField()),
                ('black_volatility_before', models.IntegerField()),
                ('white_rating_after', models.IntegerField()),
                ('white_deviation_after', models.IntegerField()),
                ('white_volatility_after', models.IntegerField()),
                ('black_rating_after', models.IntegerField()),
                ('black_deviation_after', models.IntegerField()),
                ('black_volatility_after', models.IntegerField()),
                ('generation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.generation')),
                ('entry', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratingentry')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('generation', 'entry'), name='one_rated_game_a_generation')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('speed', models.CharField(choices=[('live', 'live'), ('days', 'days')], max_length=8)),
                ('rating', models.IntegerField()),
                ('deviation', models.IntegerField()),
                ('volatility', models.IntegerField()),
                ('at', models.BigIntegerField()),
                ('games', models.IntegerField()),
                ('peak', models.IntegerField(null=True)),
                ('generation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.generation')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.person')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('generation', 'person', 'rules', 'speed'), name='one_standing_a_pool')],
            },
        ),
        migrations.CreateModel(
            name='FittedAdvantage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('advantage', models.IntegerField()),
                ('entry', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.furtherentry')),
                ('generation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ratings.generation')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('generation', 'entry'), name='one_advantage_an_entry')],
            },
        ),
    ]
