"""The corridor: from a submitted trace to a recorded outcome."""
