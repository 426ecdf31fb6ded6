"""Experiments a researcher runs: one file per study."""
