"""The mathematics engine: hostile text -> tokens -> whitelisted tree -> exact values; no eval, no sympify."""
