"""How an endpoint judged labelled steps, and why it gets no seat where it judged badly."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hdag", "0004_passages")]

    operations = [
        migrations.AddField("endpoint", "qualification", models.JSONField(null=True, blank=True)),
        migrations.AddField("endpoint", "qualified_at", models.DateTimeField(null=True, blank=True)),
    ]
