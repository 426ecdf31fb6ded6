"""Credit of providers, prices and grants; points at stake, and the notices that take them back."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

# The account is locked before it is counted, and counted by a statement that begins after the lock: of two that spend
# the same points the second sees what the first has left.
POINTS_ARE_THERE = """
CREATE FUNCTION trust_points_are_there() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    account_name text;
    transfer_kind text;
    least bigint := 0;
BEGIN
    SELECT name INTO account_name FROM auditing_account WHERE id = NEW.account_id;
    SELECT kind INTO transfer_kind FROM auditing_transfer WHERE id = NEW.transfer_id;
    IF account_name <> 'credit' AND transfer_kind NOT IN ('staking', 'withdrawal') THEN
        RETURN NEW;
    END IF;
    PERFORM FROM auditing_account WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF account_name = 'stake' THEN  -- what the treasury gave stays
        SELECT COALESCE(SUM(line.amount), 0) INTO least FROM auditing_posting AS line
        JOIN auditing_transfer AS transfer ON transfer.id = line.transfer_id
        WHERE line.account_id = NEW.account_id AND transfer.kind = 'stake';
    END IF;
    IF (SELECT SUM(amount) FROM auditing_posting WHERE account_id = NEW.account_id) < least THEN
        RAISE EXCEPTION 'a % of % points is not covered by the account %', transfer_kind, -NEW.amount, account_name
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER points_are_there AFTER INSERT ON auditing_posting
    FOR EACH ROW WHEN (NEW.amount < 0) EXECUTE FUNCTION trust_points_are_there();
"""
NOTICE_IS_COVERED = """
CREATE FUNCTION trust_notice_is_covered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    own bigint;
    under_notice bigint;
BEGIN
    PERFORM FROM auditing_account WHERE auditor_id = NEW.auditor_id AND name = 'stake' FOR NO KEY UPDATE;
    SELECT SUM(line.amount) INTO own FROM auditing_posting AS line
    JOIN auditing_account AS account ON account.id = line.account_id
    JOIN auditing_transfer AS transfer ON transfer.id = line.transfer_id
    WHERE account.auditor_id = NEW.auditor_id AND account.name = 'stake' AND transfer.kind <> 'stake';
    SELECT SUM(points) INTO under_notice FROM auditing_withdrawal
    WHERE auditor_id = NEW.auditor_id AND paid_at IS NULL AND taken_back_at IS NULL AND id <> NEW.id;
    IF NEW.points + COALESCE(under_notice, 0) > COALESCE(own, 0) THEN
        RAISE EXCEPTION 'notice of % points, of % that were put at stake and % under notice',
            NEW.points, COALESCE(own, 0), COALESCE(under_notice, 0) USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER notice_is_covered BEFORE INSERT ON auditing_withdrawal
    FOR EACH ROW EXECUTE FUNCTION trust_notice_is_covered();
"""
ENDS_ONCE = """
CREATE FUNCTION trust_withdrawal_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.paid_at IS NULL AND OLD.taken_back_at IS NULL
       AND NEW.id = OLD.id AND NEW.auditor_id = OLD.auditor_id AND NEW.points = OLD.points
       AND NEW.asked_at = OLD.asked_at AND NEW.due_at = OLD.due_at THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a withdrawal is final: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER withdrawal_ends_once BEFORE UPDATE OR DELETE ON auditing_withdrawal
    FOR EACH ROW EXECUTE FUNCTION trust_withdrawal_ends_once();
"""
PRICED = """
ALTER TABLE auditing_policyversion ADD CONSTRAINT prices_and_stakes_are_counts CHECK (
    (NOT body ? 'trace_price' OR trust_count(body -> 'trace_price', 0))
    AND (NOT body ? 'ticket_stake' OR trust_count(body -> 'ticket_stake', 0))
    AND (NOT body ? 'notice_days'
        OR (trust_count(body -> 'notice_days', 0) AND trust_within(body -> 'notice_days', '[0,365]'))));
"""


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0034_crowd_desk_signs'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('points', models.PositiveBigIntegerField()),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField()),
                ('paid_at', models.DateTimeField(null=True)),
                ('taken_back_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='account',
            name='an_account_is_an_auditors_or_the_houses',
        ),
        migrations.RemoveConstraint(
            model_name='account',
            name='one_account_a_name',
        ),
        migrations.AddField(
            model_name='account',
            name='provider',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='transfer',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='transfer',
            name='reason',
            field=models.CharField(blank=True, db_default='', max_length=300),
        ),
        migrations.AlterField(
            model_name='account',
            name='name',
            field=models.CharField(choices=[('points', 'Points'), ('held', 'Held'), ('stake', 'Stake'), ('pool', 'Pool'), ('treasury', 'Treasury'), ('credit', 'Credit')], max_length=40),
        ),
        migrations.AlterField(
            model_name='transfer',
            name='kind',
            field=models.CharField(choices=[('reward', 'Reward'), ('slash', 'Slash'), ('no_show', 'no-show'), ('agreement', 'Agreement'), ('stake', 'Stake'), ('staking', 'Staking'), ('withdrawal', 'Withdrawal'), ('grant', 'Grant'), ('price', 'Price'), ('conduct', 'Conduct'), ('release', 'Release'), ('reversal', 'Reversal')], max_length=24),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('auditor__isnull', False), ('name__in', ['points', 'held', 'stake']), ('provider__isnull', True)), models.Q(('auditor__isnull', True), ('name', 'credit'), ('provider__isnull', False)), models.Q(('auditor__isnull', True), ('name__in', ['pool', 'treasury']), ('provider__isnull', True)), _connector='OR'), name='an_account_is_an_auditors_or_the_houses'),
        ),
        migrations.AddConstraint(
            model_name='account',
            constraint=models.UniqueConstraint(fields=('auditor', 'provider', 'name'), name='one_account_a_name', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('by__isnull', False), ('kind', 'grant'), models.Q(('reason', ''), _negated=True)), models.Q(models.Q(('kind', 'grant'), _negated=True), ('by__isnull', True)), _connector='OR'), name='a_grant_says_who_and_why'),
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=models.Index(condition=models.Q(('kind__in', ['price', 'grant'])), fields=['created'], name='prices_and_grants'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='auditor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawals', to='auditing.auditor'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='transfer',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='auditing.transfer'),
        ),
        migrations.AddIndex(
            model_name='withdrawal',
            index=models.Index(condition=models.Q(('paid_at__isnull', True), ('taken_back_at__isnull', True)), fields=['due_at'], name='open_withdrawals'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('points__gt', 0)), name='a_withdrawal_has_points'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('paid_at__isnull', True), models.Q(('paid_at__gte', models.F('due_at')), ('taken_back_at__isnull', True)), _connector='OR'), name='a_withdrawal_is_paid_when_due'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('transfer__isnull', True), ('paid_at__isnull', False), _connector='OR'), name='a_withdrawal_ends_once'),
        ),
        migrations.RunSQL(
            POINTS_ARE_THERE,
            "DROP TRIGGER points_are_there ON auditing_posting; DROP FUNCTION trust_points_are_there;",
        ),
        migrations.RunSQL(
            NOTICE_IS_COVERED,
            "DROP TRIGGER notice_is_covered ON auditing_withdrawal; DROP FUNCTION trust_notice_is_covered;",
        ),
        migrations.RunSQL(
            ENDS_ONCE,
            "DROP TRIGGER withdrawal_ends_once ON auditing_withdrawal; DROP FUNCTION trust_withdrawal_ends_once;",
        ),
        migrations.RunSQL(PRICED, "ALTER TABLE auditing_policyversion DROP CONSTRAINT prices_and_stakes_are_counts;"),
    ]
