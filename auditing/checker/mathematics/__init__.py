"""The mathematics engine: hostile text -> tokens -> whitelisted tree -> exact values; no eval, no sympify.

Read in this order: `tokens` (text to tokens); `cursor`, `symbols`, `primaries` and `grammar` (one Pratt parser in four
layers, tokens to `tree`); `chains` (which relations stand in a text); `evaluate`, `operations` and `enclosure` (exact
values); `compare` (is a relation true?); then `polynomial`, `identity` and `knowledge` (the same questions for
expressions with symbols).
"""
