from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0012_claim_functions")]

    operations = [
        migrations.AddField(
            model_name="decoy",
            name="misleads_models",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(
            """
            ALTER TABLE auditing_policyversion ADD CONSTRAINT gold_that_models_fail_on_is_gold CHECK (
                NOT body ? 'model_fail_share' OR (
                    trust_within(body -> 'model_fail_share', '[0,0.5]')
                    AND (body ->> 'model_fail_share')::numeric <= (body ->> 'honeypot_share')::numeric));
            """,
            "ALTER TABLE auditing_policyversion DROP CONSTRAINT gold_that_models_fail_on_is_gold;",
        ),
    ]
