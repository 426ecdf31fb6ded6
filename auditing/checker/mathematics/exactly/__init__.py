"""Exact values: the arithmetic of fractions, and what a number that was rounded may be."""
