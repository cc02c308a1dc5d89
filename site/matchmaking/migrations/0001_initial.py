import django.db.models.deletion
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
            name='RefusedPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.BigIntegerField(db_index=True)),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('two', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Search',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choices', models.JSONField(default=list)),
                ('rated', models.CharField(choices=[('no', 'No'), ('yes', 'Yes'), ('either', 'Either')], db_default='no', default='no', max_length=6)),
                ('state', models.CharField(choices=[('looking', 'Looking'), ('asked', 'Asked'), ('paired', 'Paired'), ('ended', 'Ended')], default='looking', max_length=8)),
                ('why', models.CharField(blank=True, choices=[('stopped', 'Stopped'), ('left', 'Left'), ('no_answer', 'No Answer'), ('declined', 'Declined'), ('playing', 'Playing')], max_length=9)),
                ('created', models.BigIntegerField(default=play.domain.clocks.now)),
                ('seen', models.BigIntegerField(null=True)),
                ('changed', models.BigIntegerField(default=play.domain.clocks.now)),
                ('is_busy', models.BooleanField(default=False)),
                ('rules', models.CharField(blank=True, max_length=32)),
                ('clock', models.CharField(blank=True, max_length=20)),
                ('is_rated', models.BooleanField(db_default=False, default=False)),
                ('deadline', models.BigIntegerField(null=True)),
                ('is_answered', models.BooleanField(default=False)),
                ('tab', models.CharField(blank=True, max_length=64)),
                ('rev', models.IntegerField(default=0)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='play.game')),
                ('partner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='search', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ('looking', 'asked'))), fields=['created'], name='search_active')],
            },
        ),
    ]
