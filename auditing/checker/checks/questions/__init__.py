"""The question of a problem: where it asks for what can be computed, the answer is computed as well."""
