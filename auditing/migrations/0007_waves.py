"""Policies that plan waves of seats, and decide a trace by where its first error may be."""

from django.db import migrations, models

# The function of 0002 with one more trace rule: its text stays in one place.
ADD = """
DO $$ BEGIN
EXECUTE replace(pg_get_functiondef('trust_policy_is_usable(jsonb)'::regprocedure),
                '''all_pass'')', '''all_pass'', ''first_error'')');
END $$;
"""
REMOVE = """
DO $$ BEGIN
EXECUTE replace(pg_get_functiondef('trust_policy_is_usable(jsonb)'::regprocedure),
                '''all_pass'', ''first_error'')', '''all_pass'')');
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0006_gold_decoys'),
    ]

    operations = [
        migrations.RunSQL(sql=ADD, reverse_sql=REMOVE),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('body__has_key', 'planner'), _negated=True), ('body__planner__in', (True, False)), _connector='OR'), models.Q(models.Q(('body__planner', True), _negated=True), models.Q(('body__order', 'parallel'), ('body__trace_rule', 'first_error')), _connector='OR')), name='a_policy_plans_by_its_own_rule'),
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('body__has_key', 'first_seats'), _negated=True), ('body__first_seats__gte', 1), _connector='OR'), models.Q(models.Q(('body__has_key', 'wave_seats'), _negated=True), ('body__wave_seats__gte', 1), _connector='OR'), models.Q(models.Q(('body__has_key', 'cap'), _negated=True), ('body__cap__gte', 1), _connector='OR')), name='a_wave_has_seats'),
        ),
    ]
