"""Sums, products, definite integrals and limits: `signs` reads them in the text, `values` computes them."""
