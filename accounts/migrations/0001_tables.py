"""People, their roles, sessions and tokens."""

import accounts.models.tables
import accounts.people
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        accounts.models.tables.CreateModels(
            creations=[
                migrations.CreateModel(
                    name='User',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('email', models.EmailField(max_length=254, unique=True)),
                        ('pseudonym', models.CharField(default=accounts.people.draw_pseudonym, max_length=60, unique=True)),
                        ('is_active', models.BooleanField(db_default=True, default=True)),
                        ('is_demo', models.BooleanField(db_default=False, default=False, verbose_name='demo login')),
                        ('is_simulated', models.BooleanField(db_default=False, default=False, verbose_name='simulated reviewer')),
                        ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='user_email_is_lower')],
                    },
                    managers=[
                        ('objects', accounts.people.People()),
                    ],
                ),
                migrations.CreateModel(
                    name='ApiToken',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('name', models.CharField(max_length=80)),
                        ('prefix', models.CharField(max_length=16)),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('last_used_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ('-created_at', '-id'),
                    },
                ),
                migrations.CreateModel(
                    name='PersonSession',
                    fields=[
                        ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                        ('session_data', models.TextField(verbose_name='session data')),
                        ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                        ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'session',
                        'verbose_name_plural': 'sessions',
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='Invitation',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('email', models.EmailField(max_length=254)),
                        ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('provider', 'Provider'), ('reviewer', 'Reviewer'), ('researcher', 'Researcher'), ('consumer', 'Consumer'), ('adjudicator', 'Adjudicator'), ('admin', 'Admin')], max_length=12), size=None)),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('expires_at', models.DateTimeField()),
                        ('accepted_at', models.DateTimeField(null=True)),
                        ('revoked_at', models.DateTimeField(null=True)),
                        ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('person', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitation', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ('-id',),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('accepted_at__isnull', True), ('revoked_at__isnull', True)), fields=('email',), name='one_open_invitation_an_address'), models.CheckConstraint(condition=models.Q(('accepted_at__isnull', True), ('revoked_at__isnull', True), _connector='OR'), name='accepted_or_revoked_not_both')],
                    },
                ),
                migrations.CreateModel(
                    name='JoiningRule',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('way', models.CharField(choices=[('invitation', 'By invitation only'), ('approval', 'Open to all; an admin approves each account')], max_length=10)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ('-id',),
                        'constraints': [models.CheckConstraint(condition=models.Q(('way__in', ('invitation', 'approval'))), name='joining_rule_is_known')],
                    },
                ),
                migrations.CreateModel(
                    name='JoinRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('wanted', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('provider', 'Provider'), ('reviewer', 'Reviewer'), ('researcher', 'Researcher'), ('consumer', 'Consumer'), ('adjudicator', 'Adjudicator'), ('admin', 'Admin')], max_length=12), size=None)),
                        ('statement', models.CharField(blank=True, max_length=1000)),
                        ('state', models.CharField(choices=[('waiting', 'waiting'), ('approved', 'approved'), ('declined', 'declined')], db_default='waiting', default='waiting', max_length=8)),
                        ('answer', models.CharField(blank=True, max_length=300)),
                        ('decided_at', models.DateTimeField(null=True)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='join_request', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ('id',),
                        'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='requests_that_wait')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'waiting')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ('approved', 'declined'))), _connector='OR'), name='a_decision_has_its_admin')],
                    },
                ),
                migrations.CreateModel(
                    name='Profile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('domains', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                        ('organisation', models.CharField(blank=True, max_length=120)),
                        ('conflicts', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None)),
                        ('languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None)),
                        ('weekly_capacity', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('digest', models.CharField(choices=[('off', 'Never'), ('hourly', 'Once an hour'), ('daily', 'Once a day'), ('weekly', 'Once a week')], db_default='daily', default='daily', max_length=8)),
                        ('time_zone', models.CharField(db_default='UTC', default='UTC', max_length=64)),
                        ('quiet_from', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('quiet_until', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('lends_gold', models.BooleanField(db_default=True, default=True)),
                        ('changed_at', models.DateTimeField(auto_now=True, db_default=django.db.models.functions.datetime.Now())),
                        ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='profile', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('weekly_capacity__isnull', True), ('weekly_capacity__lte', 1000), _connector='OR'), name='profile_capacity_is_sane'), models.CheckConstraint(condition=models.Q(models.Q(('quiet_from__isnull', True), ('quiet_until__isnull', True)), models.Q(('quiet_from__lte', 23), ('quiet_until__lte', 23)), _connector='OR'), name='quiet_hours_are_a_pair_of_hours')],
                    },
                ),
                migrations.CreateModel(
                    name='RequestKey',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=200)),
                        ('digest', models.BinaryField(max_length=32)),
                        ('status', models.PositiveSmallIntegerField(null=True)),
                        ('answer', models.JSONField(null=True)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='request_keys', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='request_key_once')],
                    },
                ),
                migrations.CreateModel(
                    name='RoleEvent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('role', models.CharField(choices=[('provider', 'Provider'), ('reviewer', 'Reviewer'), ('researcher', 'Researcher'), ('consumer', 'Consumer'), ('adjudicator', 'Adjudicator'), ('admin', 'Admin')], max_length=12)),
                        ('verb', models.CharField(choices=[('granted', 'granted'), ('revoked', 'revoked')], max_length=8)),
                        ('note', models.CharField(blank=True, max_length=200)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='role_events', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ('-at', '-id'),
                        'indexes': [models.Index(fields=['user', '-at'], name='role_event_user_at')],
                    },
                ),
                migrations.CreateModel(
                    name='RoleGrant',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('role', models.CharField(choices=[('provider', 'Provider'), ('reviewer', 'Reviewer'), ('researcher', 'Researcher'), ('consumer', 'Consumer'), ('adjudicator', 'Adjudicator'), ('admin', 'Admin')], max_length=12)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('granted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grants', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'role'), name='grant_role_once'), models.CheckConstraint(condition=models.Q(('role__in', ['provider', 'reviewer', 'researcher', 'consumer', 'adjudicator', 'admin'])), name='grant_role_known'), models.CheckConstraint(condition=models.Q(models.Q(('role', 'adjudicator'), _negated=True), ('granted_by__isnull', False), _connector='OR'), name='adjudicator_granted_by_someone')],
                    },
                ),
                migrations.CreateModel(
                    name='SavedView',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('page', models.CharField(max_length=80)),
                        ('name', models.CharField(max_length=60)),
                        ('query', models.CharField(blank=True, max_length=1000)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'page', 'name'), name='saved_view_once')],
                    },
                ),
            ],
        ),
    ]
