"""The mathematics of traces and graphs: no Django, no clock, no I/O."""
