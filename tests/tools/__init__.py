"""Machinery of the tests."""
