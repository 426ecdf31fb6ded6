"""Writing: roles and tokens."""
