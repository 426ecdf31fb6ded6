"""Writing: one transaction per verb."""
