"""Untrusted text becomes safe HTML: formulas, trace text, state badges, graphs and plots.

The order of work on one text: atoms (formulas and code) -> blocks (paragraphs, lists, tables) -> text (HTML), with
latex -> mathml for each formula and hidden for whatever the eye cannot see.
"""
