"""Writing: one file per room, one transaction per verb; read corridor.py first."""
