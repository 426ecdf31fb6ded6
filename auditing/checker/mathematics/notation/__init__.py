"""Notation that stands around the grammar: decorations, digits that repeat, arrays."""
