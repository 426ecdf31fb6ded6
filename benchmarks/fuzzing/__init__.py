"""Hostile files for the single-file programs that strangers run, for as long as one likes; findings become tests."""
