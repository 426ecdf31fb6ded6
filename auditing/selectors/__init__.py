"""Reading: one file per room; never writes."""
