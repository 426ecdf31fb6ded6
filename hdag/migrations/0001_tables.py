"""Traces and their graphs, blocks of content, providers' batches, endpoints."""

import accounts.models.tables
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        accounts.models.tables.CreateModels(
            creations=[
                migrations.CreateModel(
                    name='Endpoint',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('name', models.CharField(max_length=60, unique=True)),
                        ('base_url', models.URLField(max_length=300)),
                        ('model', models.CharField(max_length=120)),
                        ('family', models.CharField(max_length=60)),
                        ('key_variable', models.CharField(blank=True, max_length=60)),
                        ('wrapped_key', models.BinaryField(blank=True, null=True)),
                        ('may_see', models.CharField(choices=[('segments only', 'Segments'), ('whole traces', 'Traces')], default='segments only', max_length=14)),
                        ('price_in', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                        ('price_out', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                        ('max_concurrency', models.PositiveSmallIntegerField(default=4)),
                        ('timeout_seconds', models.PositiveSmallIntegerField(default=60)),
                        ('daily_cap', models.DecimalField(decimal_places=4, default=10, max_digits=12)),
                        ('audit_cap', models.DecimalField(decimal_places=4, default=1, max_digits=12)),
                        ('enabled', models.BooleanField(default=True)),
                        ('asks', models.CharField(choices=[('judge', 'one answer'), ('tools', 'several turns with tools'), ('entails', 'does it follow, in seven words')], default='judge', max_length=8)),
                        ('searches', models.BooleanField(default=False)),
                        ('dialect', models.CharField(default='unknown', max_length=24)),
                        ('answer_mode', models.CharField(blank=True, choices=[('json_schema', 'by a JSON schema'), ('json_object', 'as any JSON object'), ('text', 'in words only')], max_length=12)),
                        ('limit_field', models.CharField(blank=True, choices=[('max_tokens', 'Tokens'), ('max_completion_tokens', 'Completion'), ('max_output_tokens', 'max_output_tokens, by the Responses API'), ('none', 'no limit')], max_length=24)),
                        ('temperature', models.CharField(blank=True, choices=[('sent', 'Yes'), ('left out', 'No')], max_length=8)),
                        ('system_role', models.CharField(blank=True, choices=[('sent', 'Yes'), ('left out', 'No')], max_length=8)),
                        ('reasoning_effort', models.CharField(blank=True, max_length=12)),
                        ('thinking_tokens', models.PositiveIntegerField(blank=True, null=True)),
                        ('most_tokens', models.PositiveIntegerField(blank=True, null=True)),
                        ('context_tokens', models.PositiveIntegerField(blank=True, null=True)),
                        ('logprobs', models.CharField(blank=True, choices=[('sent', 'Yes'), ('left out', 'No')], max_length=8)),
                        ('retries', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('extra_body', models.JSONField(blank=True, null=True)),
                        ('answers_as', models.CharField(blank=True, max_length=120)),
                        ('price_cached', models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                        ('probed_at', models.DateTimeField(null=True)),
                        ('probe', models.JSONField(null=True)),
                        ('qualified_at', models.DateTimeField(blank=True, null=True)),
                        ('qualification', models.JSONField(blank=True, null=True)),
                        ('batches', models.BooleanField(default=False)),
                        ('failures_in_a_row', models.PositiveIntegerField(default=0)),
                        ('circuit_opened', models.DateTimeField(null=True)),
                        ('paused_until', models.DateTimeField(null=True)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ],
                ),
                migrations.CreateModel(
                    name='Block',
                    fields=[
                        ('cid', models.CharField(max_length=80, primary_key=True, serialize=False)),
                        ('ciphertext', models.BinaryField(null=True)),
                        ('wrapped_key', models.BinaryField(null=True)),
                        ('is_manifest', models.BooleanField(db_default=False, default=False)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('part_of', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='hdag.block')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('part_of__isnull', False)), fields=['part_of'], name='parts_of_a_block')],
                    },
                ),
                migrations.CreateModel(
                    name='Decomposition',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('decomposer', models.CharField(max_length=40)),
                        ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                        ('done_share', models.FloatField(default=0)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('lease_until', models.DateTimeField(null=True)),
                        ('metrics', models.JSONField(default=dict)),
                        ('took_ms', models.PositiveIntegerField(null=True)),
                        ('error', models.TextField(blank=True)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('derived_from', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='derived', to='hdag.decomposition')),
                        ('notes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                        ('trace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decompositions', to='hdag.trace')),
                    ],
                ),
                migrations.CreateModel(
                    name='ChatCall',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('account', models.CharField(db_index=True, max_length=80)),
                        ('purpose', models.CharField(max_length=40)),
                        ('state', models.CharField(default='open', max_length=12)),
                        ('tokens_in', models.PositiveIntegerField(default=0)),
                        ('tokens_out', models.PositiveIntegerField(default=0)),
                        ('tokens_cached', models.PositiveIntegerField(default=0)),
                        ('tokens_thinking', models.PositiveIntegerField(default=0)),
                        ('bytes_sent', models.PositiveIntegerField(default=0)),
                        ('cost', models.DecimalField(decimal_places=8, default=0, max_digits=14)),
                        ('took_ms', models.PositiveIntegerField(null=True)),
                        ('error', models.CharField(blank=True, max_length=200)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='hdag.endpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='ChatBatch',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('state', models.CharField(choices=[('making', 'Making'), ('sent', 'Sent'), ('done', 'Done')], default='making', max_length=8)),
                        ('remote', models.CharField(blank=True, max_length=120)),
                        ('ended_as', models.CharField(blank=True, max_length=40)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('checked_at', models.DateTimeField(null=True)),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chat_batches', to='hdag.endpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='BatchEntry',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('key', models.BinaryField(max_length=32)),
                        ('request', models.BinaryField(null=True)),
                        ('reply', models.BinaryField(null=True)),
                        ('status', models.PositiveSmallIntegerField(null=True)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('batch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='hdag.chatbatch')),
                        ('call', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='batch_entry', to='hdag.chatcall')),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='batch_entries', to='hdag.endpoint')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('endpoint', 'key'), name='one_entry_a_question')],
                    },
                ),
                migrations.CreateModel(
                    name='Segment',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('label', models.CharField(max_length=12)),
                        ('position', models.PositiveIntegerField()),
                        ('level', models.CharField(choices=[('goal', 'goal'), ('strategy', 'strategy'), ('tactic', 'tactic'), ('step', 'step'), ('operation', 'operation')], max_length=10)),
                        ('source', models.CharField(choices=[('problem', 'problem'), ('thinking', 'thinking'), ('answer', 'answer'), ('tool_call', 'tool call')], max_length=10)),
                        ('source_index', models.PositiveIntegerField(default=0)),
                        ('start', models.PositiveIntegerField()),
                        ('end', models.PositiveIntegerField()),
                        ('step', models.PositiveIntegerField(null=True)),
                        ('kind', models.CharField(blank=True, max_length=40)),
                        ('complexity', models.CharField(choices=[('low', 'low'), ('medium', 'medium'), ('high', 'high')], max_length=6)),
                        ('features', models.JSONField(default=dict)),
                        ('primary', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], max_length=8)),
                        ('secondaries', models.JSONField(default=list)),
                        ('by_model', models.BooleanField(db_default=False, default=False)),
                        ('salt', models.BinaryField(max_length=32, null=True)),
                        ('entirely_childrens', models.BooleanField(default=False)),
                        ('unit', models.CharField(blank=True, choices=[('passage', 'passage'), ('goal', 'goal'), ('strategy', 'strategy'), ('answer', 'answer')], db_default='', max_length=10)),
                        ('members', models.JSONField(default=list)),
                        ('numbering', models.JSONField(default=list)),
                        ('carries', models.JSONField(default=list)),
                        ('unasked', models.CharField(blank=True, db_default='', max_length=24)),
                        ('block', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                        ('decomposition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='hdag.decomposition')),
                    ],
                    options={
                        'ordering': ['position'],
                        'constraints': [models.UniqueConstraint(fields=('decomposition', 'label'), name='one_segment_a_label'), models.CheckConstraint(condition=models.Q(('end__gte', models.F('start'))), name='span_runs_forward')],
                    },
                ),
                migrations.CreateModel(
                    name='Edge',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('relation', models.CharField(choices=[('decomposes_to', 'decomposes to'), ('depends_on', 'depends on'), ('enables', 'enables'), ('validates', 'validates'), ('exemplifies', 'exemplifies'), ('refines', 'refines'), ('contradicts', 'contradicts')], max_length=14)),
                        ('strength', models.CharField(choices=[('strong', 'strong'), ('medium', 'medium'), ('weak', 'weak')], max_length=6)),
                        ('confidence', models.FloatField()),
                        ('decomposition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges', to='hdag.decomposition')),
                        ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_out', to='hdag.segment')),
                        ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_in', to='hdag.segment')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('source', 'target', 'relation'), name='one_edge_a_relation'), models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='no_edge_to_itself'), models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='confidence_is_a_share')],
                    },
                ),
                migrations.CreateModel(
                    name='Trace',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('title', models.CharField(max_length=200)),
                        ('domain', models.CharField(blank=True, db_index=True, max_length=60)),
                        ('digest', models.BinaryField(max_length=32)),
                        ('external_id', models.CharField(blank=True, default='', max_length=200)),
                        ('tags', models.JSONField(blank=True, default=list)),
                        ('copy', models.PositiveIntegerField(default=0)),
                        ('characters', models.PositiveIntegerField()),
                        ('whole_to_models', models.BooleanField(default=False)),
                        ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                        ('erased_at', models.DateTimeField(null=True)),
                        ('payload', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                        ('provider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='traces', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['-created', 'id'], name='hdag_trace_created_625183_idx'), models.Index(fields=['digest'], name='traces_of_one_text')],
                        'constraints': [models.UniqueConstraint(fields=('provider', 'digest', 'copy'), name='same_trace_twice_is_one')],
                    },
                ),
            ],
        ),
    ]
