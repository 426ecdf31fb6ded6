"""Who: people, their roles and their API tokens."""
