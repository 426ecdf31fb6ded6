"""REST: one file per room."""
