"""Template tags of the audit pages."""
