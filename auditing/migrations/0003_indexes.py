"""Indexes: what hot lists and sweeps read by."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0002_guards'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='familymeasure',
            index=models.Index(fields=['family', '-id'], name='newest_family_measure'),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['audit', 'id'], name='auditing_au_audit_i_04a8fc_idx'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('stage__in', ['offered', 'held'])), fields=['auditor', 'wanted_by', 'id'], name='a_reviewers_queue'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('stage', 'held')), fields=['lease_until'], name='leases_by_end'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('stage', 'held')), fields=['auditor', 'taken_at'], name='seats_in_hand'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('stage', 'committed')), fields=['auditor'], name='sealed_seats'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['auditor', 'offered_at'], name='seats_of_a_week'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('taken_at__isnull', False)), fields=['auditor', '-taken_at'], name='seats_taken'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['round', 'stage'], name='auditing_se_round_i_5b7649_idx'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.search.SearchVector('title', 'text', config='english'), name='documents_by_words'),
        ),
        migrations.AddIndex(
            model_name='erasure',
            index=models.Index(fields=['-asked_at', 'id'], name='auditing_er_asked_a_976067_idx'),
        ),
        migrations.AddIndex(
            model_name='round',
            index=models.Index(condition=models.Q(('stage', 'tallied'), _negated=True), fields=['stage', 'due_at'], name='open_rounds_by_stage'),
        ),
        migrations.AddIndex(
            model_name='round',
            index=models.Index(fields=['audit', 'stage'], name='auditing_ro_audit_i_94f2f6_idx'),
        ),
        migrations.AddIndex(
            model_name='leaf',
            index=models.Index(condition=models.Q(('index__isnull', True)), fields=['id'], name='leaves_to_sequence'),
        ),
        migrations.AddIndex(
            model_name='leaf',
            index=models.Index(fields=['audit', 'id'], name='auditing_le_audit_i_735674_idx'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['user', '-id'], name='news_of_a_person'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('mailed_at__isnull', True), ('read_at__isnull', True)), fields=['user'], name='news_to_mail'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('read_at__isnull', True)), fields=['user'], name='news_not_read'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(fields=['stage', 'stage_since'], name='auditing_au_stage_5d895e_idx'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(fields=['-created', '-id'], name='audits_by_age'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(fields=['campaign', '-created', '-id'], name='audits_of_a_campaign'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(condition=models.Q(('stage__in', ['submitted', 'decomposed', 'routed', 'decided', 'settled'])), fields=['stage_since'], name='audits_at_work'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(condition=models.Q(('counted_at__isnull', False), ('stage', 'auditing')), fields=['counted_at'], name='audits_to_decide'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(condition=models.Q(('appeals_until__isnull', False), ('released_at__isnull', True)), fields=['appeals_until'], name='audits_to_release'),
        ),
        migrations.AddIndex(
            model_name='reputationstep',
            index=models.Index(fields=['auditor', 'column', '-votes'], name='newest_reputation'),
        ),
        migrations.AddIndex(
            model_name='soundnessrun',
            index=models.Index(fields=['owner', '-created'], name='soundnessrun_by_owner'),
        ),
        migrations.AddIndex(
            model_name='soundnessrun',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['created'], name='soundnessrun_to_do'),
        ),
        migrations.AddIndex(
            model_name='soundnessrun',
            index=models.Index(fields=['audit', '-created'], name='soundness_by_audit'),
        ),
    ]
