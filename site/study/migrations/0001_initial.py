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
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=16)),
                ('nodes', models.PositiveIntegerField()),
                ('seed', models.PositiveIntegerField()),
                ('values', models.JSONField()),
                ('created', models.BigIntegerField()),
                ('checked', models.CharField(blank=True, max_length=32)),
                ('worker', models.CharField(blank=True, max_length=64)),
                ('until', models.BigIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='play.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('checked', '')), fields=['created'], name='review_unchecked')],
                'constraints': [models.UniqueConstraint(fields=('game', 'digest'), name='one_review_a_build')],
            },
        ),
    ]
