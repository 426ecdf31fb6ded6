"""Guards that live in the database: the log is append-only, sealed votes are final, every transfer sums to zero."""

from django.db import migrations

APPEND_ONLY_LEAVES = """
CREATE FUNCTION trust_leaf_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.index IS NULL AND NEW.index IS NOT NULL
       AND NEW.id = OLD.id AND NEW.kind = OLD.kind AND NEW.body = OLD.body
       AND NEW.audit_id IS NOT DISTINCT FROM OLD.audit_id AND NEW.created = OLD.created THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only: % of leaf % refused', TG_OP, OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER leaf_is_append_only BEFORE UPDATE OR DELETE ON auditing_leaf
    FOR EACH ROW EXECUTE FUNCTION trust_leaf_is_append_only();
"""

FINAL_ROWS = """
CREATE FUNCTION trust_row_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is final: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
""" + "".join(
    f"""
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION trust_row_is_final();
"""
    for table in (
        "auditing_commitment",
        "auditing_vote",
        "auditing_posting",
        "auditing_transfer",
        "auditing_checkpoint",
        "auditing_policyversion",
        "auditing_segmentoutcome",
        "auditing_traceoutcome",
        "auditing_auditevent",
    )
)

ZERO_SUM = """
CREATE FUNCTION trust_transfer_sums_to_zero() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT COALESCE(SUM(amount), 0) FROM auditing_posting WHERE transfer_id = NEW.transfer_id) <> 0 THEN
        RAISE EXCEPTION 'transfer % does not sum to zero', NEW.transfer_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_sums_to_zero AFTER INSERT ON auditing_posting
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trust_transfer_sums_to_zero();
"""


class Migration(migrations.Migration):
    dependencies = [("auditing", "0001_initial")]

    operations = [
        migrations.RunSQL(APPEND_ONLY_LEAVES, migrations.RunSQL.noop),
        migrations.RunSQL(FINAL_ROWS, migrations.RunSQL.noop),
        migrations.RunSQL(ZERO_SUM, migrations.RunSQL.noop),
    ]
