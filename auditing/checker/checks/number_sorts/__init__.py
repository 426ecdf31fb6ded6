"""Sorts of whole numbers told in words ("three-digit multiples of 11"): how many there are, their sum, their ends."""
