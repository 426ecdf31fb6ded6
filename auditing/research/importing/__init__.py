"""Pages that hand traces in: one typed, or a file with a preview."""
