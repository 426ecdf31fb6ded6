"""Faults of docs/guides/faults.md at full size: the whole system in its own run directory, killed where it hurts."""
