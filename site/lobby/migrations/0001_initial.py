import django.db.models.deletion
import lobby.models
import play.domain.clocks
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
            name='StandingOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=32)),
                ('days', models.PositiveSmallIntegerField()),
                ('hours', models.PositiveSmallIntegerField(default=0)),
                ('side', models.CharField(max_length=5)),
                ('is_rated', models.BooleanField(db_default=False, default=False)),
                ('count', models.PositiveSmallIntegerField()),
                ('created', models.BigIntegerField(default=play.domain.clocks.now)),
                ('visited', models.BigIntegerField(default=play.domain.clocks.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standing_offers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['visited'], name='offer_visited')],
                'constraints': [models.UniqueConstraint(fields=('user', 'rules', 'days', 'hours', 'side', 'is_rated'), name='one_offer_a_kind'), models.CheckConstraint(condition=models.Q(('count__gte', 1), ('count__lte', 20)), name='one_to_twenty')],
            },
        ),
        migrations.CreateModel(
            name='Lobby',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=lobby.models.new_code, max_length=22, unique=True)),
                ('rules', models.CharField(max_length=32)),
                ('clock_kind', models.CharField(max_length=8)),
                ('clock_initial', models.BigIntegerField(default=0)),
                ('clock_increment', models.BigIntegerField(default=0)),
                ('side', models.CharField(max_length=5)),
                ('is_lot', models.BooleanField(default=False)),
                ('is_public', models.BooleanField(default=True)),
                ('was_public', models.BooleanField(default=False)),
                ('watch', models.BooleanField(default=True)),
                ('is_rated', models.BooleanField(db_default=False, default=False)),
                ('is_counted', models.BooleanField(db_default=False, default=True)),
                ('is_quick', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('open', 'Open'), ('playing', 'Playing'), ('closed', 'Closed')], default='open', max_length=8)),
                ('why', models.CharField(blank=True, choices=[('host', 'Host'), ('away', 'Away'), ('joined', 'Joined'), ('declined', 'Declined')], max_length=8)),
                ('one_ready', models.BooleanField(default=False)),
                ('two_ready', models.BooleanField(default=False)),
                ('before', models.JSONField(default=dict)),
                ('barred', models.JSONField(default=dict)),
                ('created', models.BigIntegerField(default=play.domain.clocks.now)),
                ('host_seen', models.BigIntegerField(default=play.domain.clocks.now)),
                ('rev', models.IntegerField(default=0)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='play.game')),
                ('host', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lobbies', to=settings.AUTH_USER_MODEL)),
                ('invited', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('previous', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='play.game')),
                ('swap_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('two', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('offer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='lobbies', to='lobby.standingoffer')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'open')), fields=['created'], name='lobby_open_created'), models.Index(condition=models.Q(('status', 'open')), fields=['host'], name='lobby_open_host'), models.Index(condition=models.Q(('status', 'open')), fields=['one'], name='lobby_open_one'), models.Index(condition=models.Q(('status', 'open')), fields=['two'], name='lobby_open_two'), models.Index(condition=models.Q(('status', 'open')), fields=['invited'], name='lobby_open_invited')],
                'constraints': [models.CheckConstraint(condition=models.Q(('one', None), ('two', None), models.Q(('one', models.F('two')), _negated=True), _connector='OR'), name='two_people')],
            },
        ),
    ]
