"""The whole system under load for TRUST_SOAK_SECONDS (default 120): it ends by itself."""
