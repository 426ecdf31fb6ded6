"""Offline audits: traces of a file through the cores of the corridor in memory, without seats, seals or ledger."""
