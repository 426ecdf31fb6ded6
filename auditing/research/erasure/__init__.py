"""Erasure of a trace at its provider's wish: asked for, decided about, carried out, and what is shown afterwards."""
