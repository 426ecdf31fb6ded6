"""Faults of docs/faults.md at full size: the whole system in a run directory of its own, killed where it hurts."""
