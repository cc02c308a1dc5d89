import accounts.people.names
import accounts.login.passwords
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# PostgreSQL compares by the rules of a language: patterns need an index that compares characters.
ADD_PATTERNS = """
CREATE INDEX account_by_name_pattern ON accounts_user (lower(username) text_pattern_ops)
WHERE NOT is_guest"""
DROP_PATTERNS = "DROP INDEX account_by_name_pattern"


def add_patterns(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(ADD_PATTERNS)


def drop_patterns(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(DROP_PATTERNS)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'That name is taken.'}, max_length=20, unique=True, validators=[accounts.people.names.validate_name])),
                ('skeleton', models.CharField(editable=False, max_length=20, null=True, unique=True)),
                ('is_guest', models.BooleanField(default=False)),
                ('born_of', models.CharField(editable=False, max_length=64, null=True, unique=True)),
                ('is_bot', models.BooleanField(default=False)),
                ('level', models.PositiveSmallIntegerField(editable=False, null=True, unique=True)),
                ('leaving', models.DateTimeField(editable=False, null=True)),
                ('renamed', models.DateTimeField(editable=False, null=True)),
                ('era', models.PositiveIntegerField(default=0, editable=False)),
                ('has_holidays', models.BooleanField(db_default=True, default=True, editable=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'indexes': [models.Index(fields=['email'], name='user_by_email'), models.Index(django.db.models.functions.text.Lower('username'), condition=models.Q(('is_guest', False)), name='account_by_name'), models.Index(condition=models.Q(('leaving__isnull', False)), fields=['leaving'], name='user_leaving'), models.Index(condition=models.Q(('is_guest', True)), fields=['date_joined'], name='guest_by_age'), models.Index(condition=models.Q(('is_active', False), ('is_guest', False)), fields=['leaving'], name='user_suspended')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='one_user_a_name')],
            },
            managers=[
                ('objects', accounts.login.passwords.ComposingUserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Revocation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.CharField(blank=True, max_length=64)),
                ('user', models.BigIntegerField(null=True)),
                ('keep', models.CharField(blank=True, max_length=64)),
                ('everybody', models.BooleanField(db_default=False, default=False)),
                ('at', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('session_key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('user', models.BigIntegerField(db_index=True, null=True)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PublicProfile',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='public_profile', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('bio', models.CharField(blank=True, max_length=300)),
                ('country', models.CharField(blank=True, max_length=2)),
            ],
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.BigIntegerField()),
                ('blocked', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('blocker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['blocked', 'blocker'], name='block_of')],
                'constraints': [models.UniqueConstraint(fields=('blocker', 'blocked'), name='one_block_a_pair'), models.CheckConstraint(condition=models.Q(('blocker', models.F('blocked')), _negated=True), name='no_block_of_oneself')],
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.BigIntegerField()),
                ('followed', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('follower', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['followed', 'follower'], name='follow_of')],
                'constraints': [models.UniqueConstraint(fields=('follower', 'followed'), name='one_follow_a_pair'), models.CheckConstraint(condition=models.Q(('follower', models.F('followed')), _negated=True), name='no_follow_of_oneself')],
            },
        ),
        migrations.CreateModel(
            name='NameClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('skeleton', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(blank=True, max_length=20)),
                ('until', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(add_patterns, drop_patterns),
    ]
