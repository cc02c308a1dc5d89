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
            name='EngineAgreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked', models.BigIntegerField()),
                ('worker', models.CharField(blank=True, max_length=64)),
                ('until', models.BigIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('made', models.BigIntegerField(null=True)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('result', models.JSONField(default=dict)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='play.game')),
            ],
            options={
                'verbose_name': 'comparison with the engine',
                'verbose_name_plural': 'comparisons with the engine',
                'indexes': [models.Index(condition=models.Q(('made', None)), fields=['asked'], name='agreement_waiting')],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_annulment', models.BooleanField(verbose_name='annulment')),
                ('games', models.JSONField(verbose_name='games')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('made', models.BigIntegerField()),
                ('applied', models.BigIntegerField(null=True)),
                ('failure', models.CharField(blank=True, max_length=200)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reverses', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='fair_play.ruling')),
            ],
            options={
                'verbose_name': 'ruling on rated games',
                'verbose_name_plural': 'rulings on rated games',
                'indexes': [models.Index(condition=models.Q(('applied', None)), fields=['id'], name='ruling_waiting')],
            },
        ),
        migrations.CreateModel(
            name='Sighting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.IntegerField()),
                ('kind', models.CharField(choices=[('device', 'Device'), ('network', 'Network')], max_length=7)),
                ('digest', models.CharField(max_length=32)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['day'], name='sighting_day')],
                'constraints': [models.UniqueConstraint(fields=('user', 'day', 'kind', 'digest'), name='one_sighting_a_day')],
            },
        ),
    ]
