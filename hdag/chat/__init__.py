"""Talking to language models: endpoints, schema-checked answers, retries, budgets."""
