"""How much auditors agree, and how good outcomes and auditors are."""
