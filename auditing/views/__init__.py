"""Pages: one file per room."""
