"""A learned prior: how likely each step of a trace is its first error, from what a machine sees of it.

It votes nowhere and decides nothing: it is a number for the order in which people are asked. It is trained by a site
from labelled steps (`manage.py train_prior`), kept as one JSON file with its seed, the digest of its data and its
figures, and the same data give the same bytes.
"""
