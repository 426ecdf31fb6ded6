"""An index for the sweep that looks for seats of models."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("auditing", "0023_samples"),
        ("hdag", "0009_providers"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="round",
            index=models.Index(condition=models.Q(("stage", "committing"), ("tier", "llm")), fields=["due_at"], name="open_rounds_of_models"),
        ),
    ]
