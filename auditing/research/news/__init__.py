"""News of a person: the page, and the digest by mail."""
