"""An auditor's own votes, points and weights."""
