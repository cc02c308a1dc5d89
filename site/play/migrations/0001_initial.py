import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('process', models.CharField(max_length=64)),
                ('until', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=32, unique=True)),
                ('rules', models.CharField(max_length=32)),
                ('clock_kind', models.CharField(max_length=8)),
                ('clock_initial', models.BigIntegerField(default=0)),
                ('clock_increment', models.BigIntegerField(default=0)),
                ('is_public', models.BooleanField(default=True)),
                ('watch', models.BooleanField(default=True)),
                ('has_bot', models.BooleanField(default=False)),
                ('is_rated', models.BooleanField(db_default=False, default=False)),
                ('is_counted', models.BooleanField(db_default=False, default=False)),
                ('claims', models.CharField(max_length=32, null=True)),
                ('lobby', models.CharField(blank=True, max_length=32)),
                ('position', models.TextField()),
                ('step', models.IntegerField(default=0)),
                ('rev', models.IntegerField(default=0)),
                ('head', models.CharField(default='', max_length=64)),
                ('times', models.TextField()),
                ('deadline', models.BigIntegerField(null=True)),
                ('offers', models.TextField(default='{}')),
                ('takebacks', models.IntegerField(default=0)),
                ('winner', models.CharField(blank=True, max_length=5)),
                ('reason', models.CharField(blank=True, max_length=16)),
                ('goals', models.CharField(blank=True, max_length=32)),
                ('created', models.BigIntegerField()),
                ('changed', models.BigIntegerField()),
                ('ended', models.BigIntegerField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='game_timed'), models.Index(condition=models.Q(('clock_kind', 'none'), ('ended', None)), fields=['created'], name='game_slow'), models.Index(condition=models.Q(('ended', None), ('has_bot', True)), fields=['created'], name='game_bots'), models.Index(condition=models.Q(('ended', None), ('is_public', True)), fields=['created'], name='game_watched'), models.Index(condition=models.Q(('ended__isnull', False), ('is_public', True)), fields=['ended'], name='game_over'), models.Index(condition=models.Q(('ended__isnull', False), ('is_public', True)), fields=['rules', 'ended'], name='game_over_by_rules'), models.Index(condition=models.Q(('ended__isnull', False), ('is_rated', True)), fields=['ended'], name='game_rated'), models.Index(condition=models.Q(('ended__isnull', False), ('has_bot', True)), fields=['ended'], name='game_over_with_computer')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rev', models.IntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('role', models.CharField(max_length=5, null=True)),
                ('action_id', models.CharField(max_length=64, null=True)),
                ('received_at', models.BigIntegerField()),
                ('lag', models.IntegerField(default=0)),
                ('clock', models.TextField(default='{}')),
                ('body', models.TextField()),
                ('hash', models.CharField(default='', max_length=64)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'rev'), name='one_entry_a_rev'), models.UniqueConstraint(fields=('game', 'role', 'action_id'), name='one_effect_an_id')],
            },
        ),
        migrations.CreateModel(
            name='Holiday',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.BigIntegerField()),
                ('until', models.BigIntegerField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'start'), name='one_holiday_a_day')],
            },
        ),
        migrations.CreateModel(
            name='ReplyPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('step', models.IntegerField()),
                ('takebacks', models.IntegerField(default=0)),
                ('lines', models.TextField()),
                ('at', models.BigIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reply_plans', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'role'), name='one_plan_a_role')],
            },
        ),
        migrations.CreateModel(
            name='Sealed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('action', models.TextField()),
                ('salt', models.CharField(default='', max_length=32)),
                ('spent', models.BigIntegerField()),
                ('at', models.BigIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sealed', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'number', 'role'), name='one_seal_a_role')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('seen', models.BigIntegerField(default=0)),
                ('visible', models.BigIntegerField(default=0)),
                ('rules', models.CharField(max_length=32)),
                ('result', models.CharField(max_length=6, null=True)),
                ('is_shown', models.BooleanField()),
                ('has_account', models.BooleanField(db_default=False, default=False)),
                ('against', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='play.game')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'id', 'is_shown', 'result', 'rules', 'against'], name='seat_games'), models.Index(fields=['user', 'against', 'result', 'is_shown', 'rules'], name='seat_scores'), models.Index(condition=models.Q(('result', None)), fields=['user', 'game'], name='seat_running')],
                'constraints': [models.UniqueConstraint(fields=('game', 'role'), name='one_seat_a_role')],
            },
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('joint', models.TextField()),
                ('at', models.BigIntegerField()),
                ('spent', models.TextField()),
                ('seals', models.TextField(default='{}')),
                ('undone', models.IntegerField(null=True)),
                ('is_ahead', models.BooleanField(db_default=False, default=False)),
                ('earned', models.BigIntegerField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('undone', None)), fields=('game', 'number'), name='one_step_a_number')],
            },
        ),
    ]
