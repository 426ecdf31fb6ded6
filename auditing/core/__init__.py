"""The mathematics of auditing: no Django, no clock, no randomness that was not passed in, no I/O."""
