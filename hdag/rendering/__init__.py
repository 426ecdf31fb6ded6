"""Hostile text becomes safe pages: formulas, trace text, state badges and graphs."""
