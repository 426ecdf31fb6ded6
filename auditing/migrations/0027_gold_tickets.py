from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("auditing", "0026_campaign_people")]

    operations = [
        migrations.RunSQL(
            """
            ALTER TABLE auditing_policyversion ADD CONSTRAINT tickets_for_gold_are_few CHECK (
                (NOT body ? 'gold_emphasis'
                    OR (trust_count(body -> 'gold_emphasis', 0) AND trust_within(body -> 'gold_emphasis', '[0,8]')))
                AND (NOT body ? 'newcomer_gold'
                    OR (trust_count(body -> 'newcomer_gold', 0) AND trust_within(body -> 'newcomer_gold', '[0,1000]'))));
            """,
            "ALTER TABLE auditing_policyversion DROP CONSTRAINT tickets_for_gold_are_few;",
        ),
    ]
