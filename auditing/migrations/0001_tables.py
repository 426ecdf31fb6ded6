"""Tables: the corridor, its ledger, points, gold and policies."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('hdag', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('tier', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], max_length=8)),
                ('adjudicates', models.BooleanField(default=False)),
                ('k', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(choices=[('seated', 'seated'), ('committing', 'committing'), ('revealing', 'revealing'), ('tallied', 'tallied')], default='seated', max_length=10)),
                ('stage_since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField(null=True)),
                ('redraws', models.PositiveSmallIntegerField(default=0)),
                ('drawn', models.JSONField(default=list)),
                ('next_drawn', models.PositiveIntegerField(default=0)),
                ('outcome', models.CharField(blank=True, choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('tally', models.JSONField(default=dict)),
                ('why', models.CharField(blank=True, max_length=300)),
                ('pool', models.CharField(blank=True, max_length=10)),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='hdag.segment')),
            ],
        ),
        migrations.CreateModel(
            name='Anchoring',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('size', models.BigIntegerField()),
                ('root', models.BinaryField(max_length=32)),
                ('chain', models.CharField(max_length=60)),
                ('contract', models.CharField(max_length=80)),
                ('transaction', models.CharField(blank=True, max_length=100)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('trouble', models.CharField(blank=True, max_length=300)),
                ('lease_until', models.DateTimeField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('sent_at', models.DateTimeField(null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('stage', models.CharField(choices=[('submitted', 'submitted'), ('decomposed', 'decomposed'), ('routed', 'routed'), ('auditing', 'auditing'), ('decided', 'decided'), ('settled', 'settled'), ('recorded', 'recorded'), ('failed', 'failed'), ('withdrawn', 'withdrawn')], default='submitted', max_length=10)),
                ('stage_since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('seed', models.BinaryField(max_length=32)),
                ('outcome', models.CharField(blank=True, choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('receipt', models.TextField(blank=True)),
                ('failure', models.CharField(blank=True, max_length=300)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('is_simulated', models.BooleanField(default=False)),
                ('counted_at', models.DateTimeField(null=True)),
                ('paused_at', models.DateTimeField(null=True)),
                ('paused_because', models.CharField(blank=True, max_length=300)),
                ('batched_at', models.DateTimeField(null=True)),
                ('batch_providers', models.PositiveSmallIntegerField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('recorded_at', models.DateTimeField(null=True)),
                ('appeals_until', models.DateTimeField(null=True)),
                ('released_at', models.DateTimeField(null=True)),
                ('decomposition', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='hdag.decomposition')),
                ('follows', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='successor', to='auditing.audit')),
                ('trace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='hdag.trace')),
            ],
        ),
        migrations.CreateModel(
            name='Auditor',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('tier', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], max_length=8)),
                ('sample', models.PositiveSmallIntegerField(default=0)),
                ('checker', models.CharField(blank=True, max_length=40)),
                ('is_simulated', models.BooleanField(default=False)),
                ('suspended_until', models.DateTimeField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='auditors', to='hdag.endpoint')),
                ('user', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='auditor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('size', models.BigIntegerField(primary_key=True, serialize=False)),
                ('root', models.BinaryField(max_length=32)),
                ('note', models.TextField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('place', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(choices=[('offered', 'offered'), ('held', 'held'), ('committed', 'committed'), ('revealed', 'revealed'), ('silent', 'silent'), ('declined', 'declined'), ('lapsed', 'lapsed')], default='offered', max_length=10)),
                ('offered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('taken_at', models.DateTimeField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('pseudonym', models.BinaryField(max_length=32)),
                ('draw', models.PositiveSmallIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('declined_because', models.CharField(blank=True, max_length=40)),
                ('wanted_by', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('shown', models.JSONField(default=dict)),
                ('auditor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='auditing.auditor')),
            ],
        ),
        migrations.CreateModel(
            name='FamilyMeasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('family', models.CharField(max_length=120)),
                ('correlation', models.FloatField()),
                ('segments', models.PositiveIntegerField()),
                ('votes', models.PositiveIntegerField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='GoldAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('choice', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass'), ('abstain', 'abstain')], max_length=8)),
                ('confidence', models.PositiveIntegerField(null=True)),
                ('is_right', models.BooleanField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='GoldSegment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80, unique=True)),
                ('domain', models.CharField(db_index=True, max_length=60)),
                ('purpose', models.CharField(choices=[('calibration', 'Calibration'), ('honeypot', 'Honeypot')], default='calibration', max_length=12)),
                ('truth', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass')], max_length=8)),
                ('error_type', models.CharField(blank=True, choices=[('ungrounded', 'ungrounded'), ('invalid_derivation', 'invalid derivation'), ('propagated', 'propagated'), ('calculation', 'calculation'), ('factual', 'factual'), ('unclear', 'unclear'), ('unsafe', 'unsafe')], max_length=24)),
                ('is_active', models.BooleanField(default=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='GoldTruth',
            fields=[
                ('segment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='gold_truth', serialize=False, to='hdag.segment')),
                ('truth', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass')], max_length=8)),
                ('source', models.CharField(max_length=80)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Guidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['-version'],
            },
        ),
        migrations.CreateModel(
            name='Leaf',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('index', models.BigIntegerField(null=True, unique=True)),
                ('kind', models.CharField(max_length=24)),
                ('body', models.BinaryField(max_length=16384)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('assigned', 'Assigned'), ('revealing', 'Revealing'), ('outcome', 'Outcome'), ('appeal', 'Appeal'), ('danger', 'Danger'), ('decision', 'Decision')], max_length=10)),
                ('key', models.CharField(max_length=120)),
                ('text', models.CharField(max_length=300)),
                ('link', models.CharField(blank=True, max_length=200)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('read_at', models.DateTimeField(null=True)),
                ('mailed_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PolicyVersion',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(unique=True)),
                ('name', models.CharField(max_length=80)),
                ('body', models.JSONField()),
                ('digest', models.BinaryField(max_length=32)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['-number'],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='PublicKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(max_length=20)),
                ('value', models.BinaryField(max_length=200)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Qualification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=60)),
                ('state', models.CharField(choices=[('started', 'Started'), ('passed', 'Passed'), ('lapsed', 'Lapsed')], default='started', max_length=8)),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('why', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Recusal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='ReputationStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('column', models.CharField(choices=[('gold', 'gold'), ('consensus', 'consensus')], max_length=10)),
                ('prior', models.DecimalField(decimal_places=2, max_digits=3)),
                ('correct', models.BooleanField()),
                ('after', models.DecimalField(decimal_places=14, max_digits=16)),
                ('value', models.DecimalField(decimal_places=12, max_digits=13)),
                ('votes', models.PositiveIntegerField()),
                ('standard_error', models.FloatField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Roster',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('segments', models.JSONField(default=list)),
                ('eligible', models.JSONField(default=list)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Route',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('primary', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], max_length=8)),
                ('secondaries', models.JSONField(default=list)),
                ('k', models.PositiveSmallIntegerField()),
                ('weight', models.DecimalField(decimal_places=3, max_digits=8)),
                ('why', models.CharField(max_length=300)),
            ],
        ),
        migrations.CreateModel(
            name='SeatAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('asked', 'Asked'), ('sealed', 'Sealed'), ('no vote', 'No Vote')], default='asked', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('signs', models.JSONField(default=list)),
                ('is_suspect', models.BooleanField(default=False)),
                ('tool_calls', models.PositiveSmallIntegerField(default=0)),
                ('refused_calls', models.PositiveSmallIntegerField(default=0)),
                ('corrections', models.PositiveSmallIntegerField(default=0)),
                ('is_conflict', models.BooleanField(default=False)),
                ('calls', models.PositiveSmallIntegerField(default=0)),
                ('bytes_sent', models.PositiveIntegerField(default=0)),
                ('cost', models.DecimalField(decimal_places=8, default=0, max_digits=14)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('ended', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='SegmentOutcome',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('paper_outcome', models.CharField(blank=True, choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('posterior', models.FloatField(null=True)),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='SkillSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.CharField(choices=[('quorum', 'quorum'), ('majority', 'majority'), ('reputation', 'reputation'), ('two_coin_gold', 'two coin gold'), ('two_coin_em', 'two coin em'), ('dawid_skene', 'dawid skene'), ('auto', 'auto')], max_length=16)),
                ('why', models.CharField(max_length=200)),
                ('brier_gold_only', models.FloatField(null=True)),
                ('brier_learned', models.FloatField(null=True)),
                ('gold', models.PositiveIntegerField(default=0)),
                ('skills', models.JSONField(default=dict)),
                ('thresholds', models.JSONField(default=dict)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='SoundnessRun',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='waiting', max_length=10)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('says', models.CharField(blank=True, max_length=200)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('epsilon', models.FloatField(default=0.1)),
                ('delta', models.FloatField(default=0.1)),
                ('model', models.CharField(blank=True, max_length=400)),
                ('statement', models.TextField(blank=True)),
                ('claims', models.JSONField(default=dict)),
                ('certificate', models.JSONField(default=dict)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SoundnessThreshold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(db_index=True, max_length=400)),
                ('data', models.CharField(max_length=200)),
                ('chains', models.PositiveIntegerField()),
                ('threshold', models.FloatField()),
                ('macro_f1', models.FloatField()),
                ('deviation', models.FloatField()),
                ('body', models.JSONField(default=dict)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=120, unique=True)),
                ('kind', models.CharField(choices=[('reward', 'Reward'), ('slash', 'Slash'), ('no_show', 'no-show'), ('agreement', 'Agreement'), ('stake', 'Stake'), ('release', 'Release'), ('reversal', 'Reversal')], max_length=24)),
                ('is_held', models.BooleanField(default=False)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Witness',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=300, unique=True)),
                ('vkey', models.CharField(blank=True, max_length=300)),
                ('is_pinned', models.BooleanField(default=False)),
                ('size', models.BigIntegerField(default=0)),
                ('cosigned_at', models.DateTimeField(null=True)),
                ('trouble', models.CharField(blank=True, max_length=300)),
                ('trouble_since', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='adjudication', serialize=False, to='auditing.round')),
                ('reason', models.CharField(choices=[('split_vote', 'The votes split on the same reading'), ('ambiguous', 'The segment can be read in two ways'), ('missing_context', 'What it rests on was not shown'), ('expertise', 'It needs knowledge the auditors lacked'), ('auditor_error', 'An auditor made a plain mistake'), ('checker_error', 'A checker or a model was wrong'), ('silence', 'Too few auditors answered'), ('guidelines', 'The guidelines do not settle it')], max_length=20)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='TraceOutcome',
            fields=[
                ('audit', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='trace_outcome', serialize=False, to='auditing.audit')),
                ('outcome', models.CharField(choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('paper_outcome', models.CharField(choices=[('pass', 'pass'), ('fail', 'fail'), ('hung', 'hung'), ('undecided', 'undecided')], max_length=10)),
                ('score', models.FloatField(null=True)),
                ('weighted_score', models.FloatField(null=True)),
                ('body', models.JSONField(default=dict)),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddField(
            model_name='round',
            name='audit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='auditing.audit'),
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('side', models.CharField(choices=[('provider', 'Provider'), ('auditor', 'Auditor'), ('operator', 'Operator')], max_length=10)),
                ('reason', models.CharField(choices=[('wrong_outcome', 'The outcome is wrong'), ('misread', 'The segment was misread'), ('missing_context', 'Auditors lacked what the segment rests on'), ('bad_split', 'The trace was split at the wrong place'), ('conflict', 'An auditor had a conflict of interest'), ('procedure', 'A rule of the protocol was broken')], max_length=20)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('block', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to=settings.AUTH_USER_MODEL)),
                ('segment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.segment')),
                ('audit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='auditing.audit')),
                ('successor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers_appeals', to='auditing.audit')),
            ],
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('kind', models.CharField(db_index=True, max_length=40)),
                ('body', models.JSONField(default=dict)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('audit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='auditing.audit')),
            ],
        ),
        migrations.CreateModel(
            name='OwnKey',
            fields=[
                ('auditor', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='own_key', serialize=False, to='auditing.auditor')),
                ('check_value', models.BinaryField(max_length=32)),
                ('is_on', models.BooleanField(default=True)),
                ('made', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(choices=[('points', 'Points'), ('held', 'Held'), ('stake', 'Stake'), ('pool', 'Pool'), ('treasury', 'Treasury')], max_length=40)),
                ('auditor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='auditing.auditor')),
            ],
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=160)),
                ('domain', models.CharField(blank=True, max_length=60)),
                ('language', models.CharField(blank=True, max_length=40)),
                ('state', models.CharField(choices=[('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed')], default='open', max_length=8)),
                ('paused_at', models.DateTimeField(editable=False, null=True)),
                ('open_to_all', models.BooleanField(default=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to=settings.AUTH_USER_MODEL)),
                ('reviewers', models.ManyToManyField(blank=True, related_name='reviews_for', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='audit',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='auditing.campaign'),
        ),
        migrations.CreateModel(
            name='CollusionFlag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_set', models.BooleanField()),
                ('why', models.CharField(max_length=300)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collusion_flags', to='auditing.campaign')),
            ],
        ),
        migrations.CreateModel(
            name='Commitment',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='auditing.seat')),
                ('digest', models.BinaryField(max_length=32, unique=True)),
                ('rationale_digest', models.BinaryField(max_length=32)),
                ('sealed', models.BinaryField(max_length=65536, null=True)),
                ('kept', models.BinaryField(max_length=70000, null=True)),
                ('raw_ms', models.PositiveIntegerField(default=0)),
                ('active_ms', models.PositiveIntegerField(default=0)),
                ('shown', models.CharField(blank=True, max_length=20)),
                ('receipt', models.TextField(blank=True)),
                ('committed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='auditing.seat')),
                ('version', models.PositiveIntegerField()),
                ('body', models.BinaryField(max_length=250028)),
                ('saved_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='auditing.seat')),
                ('choice', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass'), ('abstain', 'abstain')], max_length=8)),
                ('confidence', models.PositiveIntegerField(null=True)),
                ('error_type', models.CharField(blank=True, max_length=24)),
                ('is_propagated', models.BooleanField(default=False)),
                ('criteria', models.JSONField(default=dict)),
                ('nonce', models.BinaryField(max_length=32)),
                ('rationale_nonce', models.BinaryField(max_length=32)),
                ('revealed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddField(
            model_name='seat',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='auditing.round'),
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('done', 'Done'), ('refused', 'Refused')], default='waiting', max_length=8)),
                ('because', models.CharField(blank=True, max_length=300)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('decided_at', models.DateTimeField(null=True)),
                ('answer', models.CharField(blank=True, max_length=300)),
                ('texts', models.PositiveIntegerField(null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('trace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erasures', to='hdag.trace')),
            ],
        ),
        migrations.AddConstraint(
            model_name='familymeasure',
            constraint=models.CheckConstraint(condition=models.Q(('correlation__gte', 0), ('correlation__lte', 1)), name='correlation_is_a_share'),
        ),
        migrations.AddField(
            model_name='goldanswer',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_answers', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='goldsegment',
            name='block',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block'),
        ),
        migrations.AddField(
            model_name='goldanswer',
            name='gold',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='auditing.goldsegment'),
        ),
        migrations.AddField(
            model_name='goldtruth',
            name='author',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='guidelines',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guidelines', to='auditing.campaign'),
        ),
        migrations.AddField(
            model_name='round',
            name='closing_leaf',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.leaf'),
        ),
        migrations.AddField(
            model_name='leaf',
            name='audit',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='leaves', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='anchoring',
            name='leaf',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='anchoring', to='auditing.leaf'),
        ),
        migrations.AddField(
            model_name='notice',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='policyversion',
            name='author',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='policyversion',
            name='follows',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='successors', to='auditing.policyversion'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='policy',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to='auditing.policyversion'),
        ),
        migrations.AddField(
            model_name='audit',
            name='policy',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='auditing.policyversion'),
        ),
        migrations.AddField(
            model_name='posting',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='auditing.account'),
        ),
        migrations.AddConstraint(
            model_name='publickey',
            constraint=models.UniqueConstraint(fields=('purpose', 'value'), name='one_row_a_public_key'),
        ),
        migrations.AddField(
            model_name='qualification',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='qualifications', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='recusal',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recusals', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='recusal',
            name='provider',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='recusal',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.seat'),
        ),
        migrations.AddField(
            model_name='reputationstep',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reputation_steps', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='reputationstep',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reputation_steps', to='auditing.seat'),
        ),
        migrations.AddField(
            model_name='roster',
            name='audit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rosters', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='route',
            name='audit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='routes', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='route',
            name='segment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='routes', to='hdag.segment'),
        ),
        migrations.AddField(
            model_name='seatattempt',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts_made', to='auditing.seat'),
        ),
        migrations.AddField(
            model_name='segmentoutcome',
            name='audit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='segment_outcomes', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='segmentoutcome',
            name='round',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.round'),
        ),
        migrations.AddField(
            model_name='segmentoutcome',
            name='segment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='outcomes', to='hdag.segment'),
        ),
        migrations.AddField(
            model_name='skillsnapshot',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='skill_snapshots', to='auditing.campaign'),
        ),
        migrations.AddField(
            model_name='soundnessrun',
            name='audit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='soundness_runs', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='soundnessrun',
            name='endpoints',
            field=models.ManyToManyField(blank=True, related_name='+', to='hdag.endpoint'),
        ),
        migrations.AddField(
            model_name='soundnessrun',
            name='owner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='soundnessthreshold',
            constraint=models.CheckConstraint(condition=models.Q(('threshold__gte', 0), ('threshold__lte', 1)), name='threshold_is_a_share'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='audit',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='auditing.audit'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='policy',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.policyversion'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='releases',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='released_by', to='auditing.transfer'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='reverses',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='auditing.transfer'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='seat',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='auditing.seat'),
        ),
        migrations.AddField(
            model_name='posting',
            name='transfer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='auditing.transfer'),
        ),
        migrations.AddField(
            model_name='adjudication',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='traceoutcome',
            name='first_failing',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.segment'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.UniqueConstraint(fields=('audit', 'by'), name='one_appeal_a_person'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(('audit', models.F('successor')), _negated=True), name='an_appeal_opens_another_audit'),
        ),
        migrations.AddConstraint(
            model_name='auditor',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('checker', ''), ('endpoint__isnull', True), ('tier', 'human'), ('user__isnull', False)), models.Q(('checker', ''), ('endpoint__isnull', False), ('tier', 'llm'), ('user__isnull', True)), models.Q(('endpoint__isnull', True), ('tier', 'computer'), ('user__isnull', True), models.Q(('checker', ''), _negated=True)), _connector='OR'), name='an_auditor_is_one_of_three_kinds'),
        ),
        migrations.AddConstraint(
            model_name='auditor',
            constraint=models.UniqueConstraint(condition=models.Q(('checker', ''), _negated=True), fields=('checker',), name='one_auditor_a_checker'),
        ),
        migrations.AddConstraint(
            model_name='auditor',
            constraint=models.UniqueConstraint(fields=('endpoint', 'sample'), name='one_auditor_a_sample'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('auditor__isnull', False), ('name__in', ['points', 'held', 'stake'])), models.Q(('auditor__isnull', True), ('name__in', ['pool', 'treasury'])), _connector='OR'), name='an_account_is_an_auditors_or_the_houses'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(fields=('auditor', 'name'), name='one_account_a_name', nulls_distinct=False),
        ),
        migrations.AddField(
            model_name='commitment',
            name='guidelines',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.guidelines'),
        ),
        migrations.AddField(
            model_name='vote',
            name='rationale',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('round', 'auditor'), name='one_seat_a_round_and_auditor'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('stage__in', ['offered', 'held', 'committed', 'revealed'])), fields=('round', 'place'), name='one_auditor_a_place'),
        ),
        migrations.AddConstraint(
            model_name='erasure',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'done'])), fields=('trace',), name='one_erasure_a_trace'),
        ),
        migrations.AddConstraint(
            model_name='erasure',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='a_decided_erasure_says_when'),
        ),
        migrations.AddConstraint(
            model_name='goldsegment',
            constraint=models.CheckConstraint(condition=models.Q(('truth__in', ['pass', 'fail'])), name='gold_is_right_or_wrong'),
        ),
        migrations.AddConstraint(
            model_name='goldsegment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('error_type', ''), ('truth', 'pass')), ('truth', 'fail'), _connector='OR'), name='right_gold_has_no_error'),
        ),
        migrations.AddConstraint(
            model_name='goldanswer',
            constraint=models.UniqueConstraint(fields=('auditor', 'gold', 'attempt'), name='one_answer_an_attempt'),
        ),
        migrations.AddConstraint(
            model_name='goldtruth',
            constraint=models.CheckConstraint(condition=models.Q(('truth__in', ['pass', 'fail'])), name='a_truth_is_pass_or_fail'),
        ),
        migrations.AddConstraint(
            model_name='guidelines',
            constraint=models.UniqueConstraint(fields=('campaign', 'version'), name='one_text_a_version'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('audit', 'segment', 'number'), name='one_round_a_number'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(('stage', 'tallied'), _negated=True), fields=('audit', 'segment'), name='one_open_round_a_segment'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('k__gte', 1)), name='a_round_has_seats'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('stage', 'tallied'), _negated=True), models.Q(('outcome', ''), _negated=True), _connector='OR'), name='a_tallied_round_has_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='anchoring',
            constraint=models.UniqueConstraint(fields=('chain', 'contract', 'size'), name='one_anchoring_a_size'),
        ),
        migrations.AddConstraint(
            model_name='anchoring',
            constraint=models.UniqueConstraint(condition=models.Q(('confirmed_at__isnull', True)), fields=('chain', 'contract'), name='one_open_anchoring_a_contract'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('user', 'key'), name='news_comes_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['assigned', 'revealing']), ('mailed_at__isnull', True), ('read_at__isnull', True)), fields=('user', 'kind'), name='one_unheard_call_to_the_desk'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('body__has_key', 'openings'), _negated=True), ('body__openings__in', ['escrow', 'choice', 'browser']), _connector='OR'), name='a_policy_says_who_keeps_openings'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.UniqueConstraint(condition=models.Q(('follows__isnull', True)), fields=('trace', 'campaign'), name='one_first_audit_a_campaign'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.CheckConstraint(condition=models.Q(('stage__in', ['submitted', 'decomposed', 'routed', 'auditing', 'decided', 'settled', 'recorded', 'failed', 'withdrawn'])), name='audit_stage_is_known'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('stage__in', ['decided', 'settled', 'recorded']), _negated=True), models.Q(('outcome', ''), _negated=True), _connector='OR'), name='a_decided_audit_has_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='qualification',
            constraint=models.UniqueConstraint(fields=('auditor', 'domain'), name='one_standing_a_domain'),
        ),
        migrations.AddConstraint(
            model_name='recusal',
            constraint=models.UniqueConstraint(fields=('auditor', 'provider'), name='one_recusal_a_provider'),
        ),
        migrations.AddConstraint(
            model_name='reputationstep',
            constraint=models.UniqueConstraint(fields=('seat', 'column'), name='one_step_a_seat_and_column'),
        ),
        migrations.AddConstraint(
            model_name='reputationstep',
            constraint=models.UniqueConstraint(fields=('auditor', 'column', 'votes'), name='steps_follow_each_other'),
        ),
        migrations.AddConstraint(
            model_name='reputationstep',
            constraint=models.CheckConstraint(condition=models.Q(('value__gte', 0), ('value__lte', 1)), name='reputation_lies_between_0_and_1'),
        ),
        migrations.AddConstraint(
            model_name='roster',
            constraint=models.UniqueConstraint(fields=('audit', 'number'), name='one_roster_a_number'),
        ),
        migrations.AddConstraint(
            model_name='route',
            constraint=models.UniqueConstraint(fields=('audit', 'segment'), name='one_route_a_segment'),
        ),
        migrations.AddConstraint(
            model_name='seatattempt',
            constraint=models.UniqueConstraint(fields=('seat', 'number'), name='one_attempt_a_number'),
        ),
        migrations.AddConstraint(
            model_name='seatattempt',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'sealed')), fields=('seat',), name='one_sealed_attempt_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='segmentoutcome',
            constraint=models.UniqueConstraint(fields=('audit', 'segment'), name='one_outcome_a_segment'),
        ),
        migrations.AddConstraint(
            model_name='soundnessrun',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='soundnessrun_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='soundnessrun',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('audit',), name='one_open_soundness_run_an_audit'),
        ),
        migrations.AddConstraint(
            model_name='soundnessrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('statement', ''), _negated=True), _connector='OR'), name='a_done_run_has_a_certificate'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'reversal'), ('reverses__isnull', False)), models.Q(models.Q(('kind', 'reversal'), _negated=True), ('reverses__isnull', True)), _connector='OR'), name='a_reversal_names_what_it_reverses'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'release'), ('releases__isnull', False)), models.Q(models.Q(('kind', 'release'), _negated=True), ('releases__isnull', True)), _connector='OR'), name='a_release_names_what_it_releases'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.UniqueConstraint(fields=('transfer', 'account'), name='one_line_an_account'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='no_empty_line'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['split_vote', 'ambiguous', 'missing_context', 'expertise', 'auditor_error', 'checker_error', 'silence', 'guidelines'])), name='an_adjudication_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('choice', 'abstain'), ('confidence__isnull', True)), models.Q(models.Q(('choice', 'abstain'), _negated=True), ('confidence__gte', 5000), ('confidence__lte', 10000)), _connector='OR'), name='confidence_is_5000_to_10000_or_abstain'),
        ),
    ]
