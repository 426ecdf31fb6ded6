"""Gold: sets that admins hand in, decoy audits in which gold meets reviewers, and the truths that audits seal."""

from auditing.services.gold.sets import BadGoldError, Gold, add_all, import_jsonl, read_gold, set_active

__all__ = ["BadGoldError", "Gold", "add_all", "import_jsonl", "read_gold", "set_active"]
