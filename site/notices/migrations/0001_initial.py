import django.db.models.deletion
import play.domain.clocks
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
            name='Cursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Inbox',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('rev', models.IntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Preferences',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('channels', models.JSONField(default=dict)),
                ('mail', models.CharField(choices=[('off', 'Off'), ('digest', 'Digest'), ('at_once', 'At Once')], default='off', max_length=8)),
                ('digest_hour', models.PositiveSmallIntegerField(default=18)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('quiet_from', models.PositiveSmallIntegerField(null=True)),
                ('quiet_until', models.PositiveSmallIntegerField(null=True)),
                ('language', models.CharField(default='en', max_length=8)),
                ('mail_bounced', models.BigIntegerField(null=True)),
                ('last_digest', models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='VapidKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('private', models.TextField()),
                ('public', models.CharField(default='', max_length=100)),
            ],
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('turn', 'Turn'), ('half', 'Half'), ('last', 'Last'), ('ended', 'Ended'), ('offer', 'Offer'), ('challenge', 'Challenge'), ('joined', 'Joined'), ('plays', 'Plays'), ('holiday', 'Holiday'), ('moderation', 'Moderation')], max_length=12)),
                ('subject', models.CharField(max_length=64)),
                ('serial', models.BigIntegerField(default=0)),
                ('data', models.JSONField(default=dict)),
                ('created', models.BigIntegerField(default=play.domain.clocks.now)),
                ('due', models.BigIntegerField(default=play.domain.clocks.now)),
                ('expires', models.BigIntegerField(null=True)),
                ('read', models.BigIntegerField(null=True)),
                ('closed', models.BigIntegerField(null=True)),
                ('is_planned', models.BooleanField(default=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'due'], name='notice_of_user'), models.Index(condition=models.Q(('closed', None)), fields=['kind', 'subject'], name='notice_open'), models.Index(condition=models.Q(('is_planned', False)), fields=['due'], name='notice_to_plan')],
                'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'subject', 'serial'), name='one_notice_a_change')],
            },
        ),
        migrations.CreateModel(
            name='PushDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.CharField(blank=True, db_index=True, max_length=64)),
                ('endpoint', models.TextField()),
                ('endpoint_digest', models.CharField(max_length=64, unique=True)),
                ('p256dh', models.CharField(max_length=100)),
                ('auth', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=60)),
                ('language', models.CharField(max_length=8)),
                ('created', models.BigIntegerField(default=play.domain.clocks.now)),
                ('last_success', models.BigIntegerField(null=True)),
                ('test_asked', models.BigIntegerField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Post',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('push', 'Push'), ('mail', 'Mail')], max_length=4)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('withdrawn', 'Withdrawn'), ('given_up', 'Given Up')], default='waiting', max_length=9)),
                ('due', models.BigIntegerField()),
                ('expires', models.BigIntegerField()),
                ('tries', models.IntegerField(default=0)),
                ('first_try', models.BigIntegerField(null=True)),
                ('is_held', models.BooleanField(default=False)),
                ('sent', models.BigIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=100)),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='notices.notice')),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='notices.pushdevice')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due'], name='post_due'), models.Index(condition=models.Q(('first_try__isnull', False)), fields=['device', 'first_try'], name='post_tried')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('device__isnull', False)), fields=('notice', 'device'), name='one_push_a_device'), models.UniqueConstraint(condition=models.Q(('channel', 'mail')), fields=('notice',), name='one_mail_a_notice')],
            },
        ),
    ]
