"""Human experiments by campaign: a design, its registration in the ledger, and the votes that were cast as designed."""
