"""Soundness runs: ARES certificates of a trace, computed beside its votes."""
