"""Bundles of exports: what was one export until now is a bundle of its own, under the salt that it had."""

import uuid

from django.db import migrations, models


def keep_salts(apps, schema_editor):
    """The salt of an export was its own id."""
    apps.get_model("research", "ExportJob").objects.update(bundle=models.F("id"))


class Migration(migrations.Migration):

    dependencies = [
        ("research", "0002_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="exportjob",
            name="bundle",
            field=models.UUIDField(db_index=True, default=uuid.uuid4),
        ),
        migrations.RunPython(keep_salts, migrations.RunPython.noop),
    ]
