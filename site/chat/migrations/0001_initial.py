import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='ChatMember',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='chat_member', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('rev', models.IntegerField(default=0)),
                ('bucket_full_at', models.BigIntegerField(default=0)),
                ('silent_until', models.BigIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'muted player',
                'verbose_name_plural': 'muted players',
                'indexes': [models.Index(fields=['silent_until'], name='member_muted')],
            },
        ),
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=8)),
                ('ident', models.CharField(max_length=32)),
                ('circle', models.CharField(max_length=8)),
                ('rev', models.IntegerField(default=0)),
                ('newest', models.IntegerField(default=0)),
                ('changed', models.BigIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'chat room',
                'verbose_name_plural': 'chat rooms',
                'indexes': [models.Index(fields=['changed'], name='room_changed')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'ident', 'circle'), name='one_room_a_circle')],
            },
        ),
        migrations.CreateModel(
            name='Line',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('role', models.CharField(max_length=8)),
                ('text', models.CharField(blank=True, max_length=200)),
                ('phrase', models.CharField(blank=True, max_length=16)),
                ('at', models.BigIntegerField()),
                ('message_id', models.CharField(max_length=64)),
                ('is_hidden', models.BooleanField(default=False)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='lines', to=settings.AUTH_USER_MODEL)),
                ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='chat.room')),
            ],
            options={
                'verbose_name': 'message',
                'verbose_name_plural': 'messages',
                'constraints': [models.UniqueConstraint(fields=('room', 'number'), name='one_line_a_number'), models.UniqueConstraint(fields=('author', 'message_id'), name='one_line_an_id')],
            },
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('viewer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('viewer', 'muted'), name='one_mute_a_pair')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=8, verbose_name='place')),
                ('ident', models.CharField(max_length=32)),
                ('shown_line_id', models.IntegerField()),
                ('why', models.CharField(choices=[('insult', 'Insulting'), ('spam', 'Spam'), ('moves', 'Suggests moves'), ('other', 'Something else')], max_length=8, verbose_name='reason')),
                ('context', models.JSONField()),
                ('at', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'open'), ('acted', 'action taken'), ('dismissed', 'dismissed')], default='open', max_length=9)),
                ('decided_at', models.BigIntegerField(null=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reported', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('line', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='chat.line')),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'report',
                'verbose_name_plural': 'reports',
                'indexes': [models.Index(fields=['state', 'at'], name='report_open'), models.Index(fields=['reporter', 'at'], name='report_of'), models.Index(condition=models.Q(('decided_at__isnull', False)), fields=['decided_at'], name='report_decided')],
                'constraints': [models.UniqueConstraint(fields=('reporter', 'line'), name='one_report_a_line')],
            },
        ),
    ]
