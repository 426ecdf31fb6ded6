"""Indexes: what hot lists and sweeps read by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='joinrequest',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='requests_that_wait'),
        ),
        migrations.AddIndex(
            model_name='roleevent',
            index=models.Index(fields=['user', '-at'], name='role_event_user_at'),
        ),
    ]
