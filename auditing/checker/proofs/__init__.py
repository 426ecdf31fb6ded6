"""Proofs: what a stranger needs to re-check a finding (auditing/verifier/verify_proofs.py does).

A proof is one JSON object, kept as text under `proof` in the details of the evidence, so that the digest of a vote's
rationale covers it. It names the formulas as they were read and what shows the verdict: the readings to recompute, a
point at which two expressions differ, an expansion, the weights under which equations contradict each other.
"""
