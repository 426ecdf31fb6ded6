"""Verified lines with one number changed."""
