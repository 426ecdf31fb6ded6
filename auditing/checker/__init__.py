"""The computer tier: a mathematician that never guesses."""
