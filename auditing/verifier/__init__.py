"""The single-file verifier for strangers."""
