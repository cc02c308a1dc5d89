import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('play', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=64, unique=True)),
                ('at', models.BigIntegerField()),
                ('is_warm', models.BooleanField(default=False)),
                ('has_numba', models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name='Exhibition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='exhibition', to='play.game')),
            ],
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('worker', models.CharField(max_length=64)),
                ('until', models.BigIntegerField()),
                ('left', models.IntegerField(default=0)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leases', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'role'), name='one_lease_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='Thinking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('takebacks', models.IntegerField()),
                ('role', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('level', models.PositiveSmallIntegerField()),
                ('action', models.TextField()),
                ('value', models.FloatField()),
                ('line', models.JSONField()),
                ('nodes', models.BigIntegerField()),
                ('depth', models.IntegerField()),
                ('seed', models.BigIntegerField()),
                ('why', models.CharField(blank=True, max_length=32)),
                ('ms', models.IntegerField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='thinkings', to='play.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'number', 'takebacks', 'role'), name='one_thinking_a_step')],
            },
        ),
    ]
