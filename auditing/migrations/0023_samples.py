from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0022_passage_sizes")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="inclusion",
            field=models.DecimalField(decimal_places=12, max_digits=13, null=True),
        ),
        migrations.RunSQL(
            """
            ALTER TABLE auditing_policyversion ADD CONSTRAINT a_sample_has_a_share CHECK (
                NOT body ? 'sample_share' OR trust_within(body -> 'sample_share', '[0,1]'));
            """,
            "ALTER TABLE auditing_policyversion DROP CONSTRAINT a_sample_has_a_share;",
        ),
    ]
