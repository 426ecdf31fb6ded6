"""Indexes: what hot lists and sweeps read by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('research', '0001_tables'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='causalbatch',
            index=models.Index(fields=['owner', '-created'], name='causalbatch_by_owner'),
        ),
        migrations.AddIndex(
            model_name='causalbatch',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['created'], name='causalbatch_to_do'),
        ),
        migrations.AddIndex(
            model_name='exportjob',
            index=models.Index(fields=['owner', '-created'], name='exportjob_by_owner'),
        ),
        migrations.AddIndex(
            model_name='exportjob',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['created'], name='exportjob_to_do'),
        ),
        migrations.AddIndex(
            model_name='evaluation',
            index=models.Index(fields=['iteration', 'hard'], name='research_ev_iterati_71a65e_idx'),
        ),
        migrations.AddIndex(
            model_name='studyrun',
            index=models.Index(fields=['owner', '-created'], name='studyrun_by_owner'),
        ),
        migrations.AddIndex(
            model_name='studyrun',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['created'], name='studyrun_to_do'),
        ),
        migrations.AddIndex(
            model_name='iteration',
            index=models.Index(fields=['owner', '-created'], name='iteration_by_owner'),
        ),
        migrations.AddIndex(
            model_name='iteration',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['created'], name='iteration_to_do'),
        ),
    ]
