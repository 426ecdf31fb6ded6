"""Comments on finished audits, pinned to a place of the text: by voters under their pseudonym, and by the provider."""
