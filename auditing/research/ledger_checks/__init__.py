"""Looking at the log: invariants checked every night, files verified, pages that show it."""
