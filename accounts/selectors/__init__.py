"""Reading: people and tokens."""
