"""Tables: exports, studies, causal audits, RADO loops and imported votes."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auditing', '0001_tables'),
        ('hdag', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CausalBatch',
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
                ('title', models.CharField(max_length=120)),
                ('pick', models.CharField(default='every', max_length=10)),
                ('chosen', models.JSONField(default=list)),
                ('mode', models.CharField(default='adaptive', max_length=10)),
                ('kind', models.CharField(blank=True, max_length=20)),
                ('together', models.BooleanField(default=False)),
                ('public', models.PositiveSmallIntegerField(default=0)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('audits', models.ManyToManyField(blank=True, related_name='causal_batches', to='auditing.audit')),
                ('critic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.endpoint')),
                ('endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.endpoint')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CausalTrial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('trace', models.CharField(max_length=80)),
                ('label', models.CharField(max_length=400)),
                ('kind', models.CharField(max_length=20)),
                ('rule', models.CharField(max_length=40)),
                ('reaction', models.CharField(max_length=10)),
                ('violation', models.BooleanField()),
                ('paper_violation', models.BooleanField()),
                ('phi', models.FloatField()),
                ('phi_net', models.FloatField(null=True)),
                ('severity', models.FloatField()),
                ('strength', models.FloatField()),
                ('similarity', models.JSONField(default=dict)),
                ('load_bearing', models.BooleanField()),
                ('sentence', models.CharField(max_length=200)),
                ('audit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='auditing.audit')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='research.causalbatch')),
                ('block', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=120)),
                ('problem', models.CharField(max_length=120)),
                ('reason', models.PositiveSmallIntegerField()),
                ('answer', models.PositiveSmallIntegerField()),
                ('audit_score', models.PositiveSmallIntegerField(null=True)),
                ('audit_confidence', models.FloatField(null=True)),
                ('no_audit_because', models.CharField(blank=True, max_length=200)),
                ('hard', models.CharField(blank=True, max_length=24)),
                ('audit', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('given', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
            ],
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField()),
                ('confirms', models.BooleanField()),
                ('tags', models.JSONField(default=list)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('block', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('corrector', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('evaluation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='research.evaluation')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ExportJob',
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
                ('dataset', models.CharField(max_length=40)),
                ('format', models.CharField(max_length=20)),
                ('filters', models.JSONField(default=dict)),
                ('with_text', models.BooleanField(default=False)),
                ('rows', models.PositiveBigIntegerField(null=True)),
                ('size', models.PositiveBigIntegerField(null=True)),
                ('content_hash', models.CharField(blank=True, max_length=64)),
                ('file', models.CharField(blank=True, max_length=120)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ImportedVoteSet',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=120)),
                ('layout', models.CharField(max_length=24)),
                ('domain', models.CharField(blank=True, max_length=60)),
                ('tier', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], default='human', max_length=8)),
                ('digest', models.BinaryField(max_length=32)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ImportedVote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.CharField(max_length=120)),
                ('auditor', models.CharField(max_length=120)),
                ('choice', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass'), ('abstain', 'abstain')], max_length=8)),
                ('confidence', models.FloatField(null=True)),
                ('classes', models.JSONField(default=list)),
                ('seconds', models.FloatField(null=True)),
                ('level', models.CharField(blank=True, max_length=10)),
                ('reason', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='votes', to='research.importedvoteset')),
            ],
        ),
        migrations.CreateModel(
            name='Iteration',
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
                ('number', models.PositiveSmallIntegerField()),
                ('reward_model', models.CharField(max_length=120)),
                ('audit_model', models.CharField(blank=True, max_length=120)),
                ('samples', models.PositiveSmallIntegerField(default=1)),
                ('endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.endpoint')),
                ('items', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reward_endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.endpoint')),
            ],
            options={
                'ordering': ['number'],
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='evaluation',
            name='iteration',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evaluations', to='research.iteration'),
        ),
        migrations.CreateModel(
            name='StudyRun',
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
                ('study', models.CharField(max_length=40)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('full', models.BooleanField(default=False)),
                ('options', models.JSONField(default=dict)),
                ('report', models.JSONField(null=True)),
                ('passed', models.BooleanField(null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='StudyPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('value', models.JSONField()),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='research.studyrun')),
            ],
        ),
        migrations.CreateModel(
            name='TrainingLoop',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=120)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ProofScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.CharField(max_length=120)),
                ('judge', models.CharField(max_length=60)),
                ('is_expert', models.BooleanField()),
                ('rc', models.PositiveSmallIntegerField()),
                ('ds', models.PositiveSmallIntegerField()),
                ('fa', models.PositiveSmallIntegerField()),
                ('loop', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proof_scores', to='research.trainingloop')),
            ],
        ),
        migrations.AddField(
            model_name='iteration',
            name='loop',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='iterations', to='research.trainingloop'),
        ),
        migrations.AddConstraint(
            model_name='causalbatch',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='causalbatch_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='causaltrial',
            constraint=models.UniqueConstraint(fields=('batch', 'trace', 'label', 'kind'), name='one_trial_an_intervention'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('label__in', [0, 1])), name='a_correction_says_0_or_1'),
        ),
        migrations.AddConstraint(
            model_name='exportjob',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='exportjob_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='exportjob',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(models.Q(('file', ''), _negated=True), models.Q(('content_hash', ''), _negated=True)), _connector='OR'), name='a_done_export_has_a_file'),
        ),
        migrations.AddConstraint(
            model_name='importedvoteset',
            constraint=models.UniqueConstraint(fields=('owner', 'digest'), name='same_votes_twice_are_one_set'),
        ),
        migrations.AddConstraint(
            model_name='importedvote',
            constraint=models.UniqueConstraint(fields=('set', 'item', 'auditor'), name='one_imported_vote_an_auditor'),
        ),
        migrations.AddConstraint(
            model_name='importedvote',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), models.Q(('confidence__gte', 0.5), ('confidence__lte', 1)), _connector='OR'), name='imported_confidence_is_half_to_one'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.UniqueConstraint(fields=('iteration', 'key'), name='one_evaluation_a_key'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.CheckConstraint(condition=models.Q(('answer__in', [0, 1]), ('reason__in', [0, 1])), name='scores_of_an_evaluation_are_0_or_1'),
        ),
        migrations.AddConstraint(
            model_name='evaluation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('audit__isnull', True), ('audit_score__isnull', True)), models.Q(('audit__isnull', False), ('audit_score__in', [0, 1])), _connector='OR'), name='an_audited_evaluation_has_a_score'),
        ),
        migrations.AddConstraint(
            model_name='studyrun',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='studyrun_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='studypiece',
            constraint=models.UniqueConstraint(fields=('run', 'key'), name='one_study_piece_a_key'),
        ),
        migrations.AddConstraint(
            model_name='proofscore',
            constraint=models.UniqueConstraint(fields=('loop', 'item', 'judge'), name='one_proof_score_a_judge'),
        ),
        migrations.AddConstraint(
            model_name='proofscore',
            constraint=models.CheckConstraint(condition=models.Q(('ds__range', (1, 7)), ('fa__range', (1, 7)), ('rc__range', (1, 7))), name='proof_scores_are_1_to_7'),
        ),
        migrations.AddConstraint(
            model_name='iteration',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='iteration_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='iteration',
            constraint=models.UniqueConstraint(fields=('loop', 'number'), name='one_iteration_a_number'),
        ),
    ]
