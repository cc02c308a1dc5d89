import django.db.models.deletion
import lobby.models
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
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(default=lobby.models.new_code, max_length=32, unique=True)),
                ('title', models.CharField(max_length=80)),
                ('rules', models.CharField(max_length=32)),
                ('tree', models.TextField(default='[]')),
                ('turn_count', models.IntegerField(default=0)),
                ('visibility', models.CharField(choices=[('private', 'Only you'), ('link', 'Anyone with the link'), ('public', 'Everyone (listed)')], default='private', max_length=7)),
                ('is_hidden', models.BooleanField(default=False, verbose_name='hidden')),
                ('rev', models.IntegerField(default=1)),
                ('created', models.BigIntegerField()),
                ('updated', models.BigIntegerField()),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='play.game')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='studies', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'study',
                'verbose_name_plural': 'studies',
                'indexes': [models.Index(fields=['owner', '-updated'], name='study_of_owner'), models.Index(condition=models.Q(('is_hidden', False), ('visibility', 'public')), fields=['rules', '-updated', '-id'], name='study_public')],
            },
        ),
    ]
