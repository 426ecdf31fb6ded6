"""Interchangeable auditors behind one Protocol: checker (computer tier) and llm (model tier)."""
