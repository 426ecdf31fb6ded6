"""Optional on-chain anchor of checkpoints."""
