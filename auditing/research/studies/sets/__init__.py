"""Public sets: which there are, and what of them is here."""
