"""Tokens get scopes and an end; those that were made before keep all scopes and have no end."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

import accounts.models.token


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_tables")]

    operations = [
        migrations.AddField("apitoken", "expires_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "apitoken",
            "scopes",
            ArrayField(
                models.CharField(
                    max_length=8,
                    choices=[
                        ("read", "Read: whatever your roles let you read"),
                        ("traces", "Traces: hand them in, forecast, ask for graphs and soundness"),
                        ("audit", "Audit: take seats, seal and open votes, put points at stake"),
                        ("manage", "Manage: campaigns, models, exports, causal audits, comments"),
                    ],
                ),
                default=accounts.models.token.every_scope,
            ),
        ),
    ]
