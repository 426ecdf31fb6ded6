"""Optional anchoring: signed heads of the ledger written to a public chain."""
