import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('play', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='OpeningCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('generation', models.IntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name='OpeningTurn',
            fields=[
                ('pk', models.CompositePrimaryKey('position', 'group', 'turn', blank=True, editable=False, primary_key=True, serialize=False)),
                ('position', models.BigIntegerField()),
                ('group', models.CharField(max_length=12)),
                ('turn', models.CharField(max_length=24)),
                ('white', models.IntegerField()),
                ('draws', models.IntegerField()),
                ('black', models.IntegerField()),
                ('last_game', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='OpeningGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('group', models.CharField(blank=True, max_length=12)),
                ('generation', models.IntegerField()),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='play.game')),
            ],
        ),
    ]
