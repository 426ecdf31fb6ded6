"""A leaf gets its number from the sequencer, later: whoever is not the table's owner inserts it without one."""

from django.db import migrations

BORN_WITHOUT_NUMBER = """
CREATE FUNCTION trust_leaf_is_born_without_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the sequencer numbers leaves: this one came with number %', NEW.index
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER leaf_is_born_without_number BEFORE INSERT ON auditing_leaf
    FOR EACH ROW WHEN (NEW.index IS NOT NULL) EXECUTE FUNCTION trust_leaf_is_born_without_number();
"""
OFF = """
DROP TRIGGER leaf_is_born_without_number ON auditing_leaf;
DROP FUNCTION trust_leaf_is_born_without_number();
"""


class Migration(migrations.Migration):
    dependencies = [("auditing", "0018_erasures")]

    operations = [migrations.RunSQL(BORN_WITHOUT_NUMBER, OFF)]
