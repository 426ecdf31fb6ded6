"""Addresses and public passwords of the demo's people: a role each, three reviewers; without models, for `serve`."""

PASSWORD = "trust-the-steps"  # noqa: S105  printed at start, only ever made on a demo machine
LOGINS: list[tuple[str, str, str]] = [
    ("admin", "admin@demo.example", PASSWORD),
    ("provider", "provider@demo.example", PASSWORD),
    ("reviewer", "reviewer1@demo.example", PASSWORD),
    ("reviewer", "reviewer2@demo.example", PASSWORD),
    ("reviewer", "reviewer3@demo.example", PASSWORD),
    ("adjudicator", "adjudicator@demo.example", PASSWORD),
    ("researcher", "researcher@demo.example", PASSWORD),
    ("consumer", "consumer@demo.example", PASSWORD),
]
