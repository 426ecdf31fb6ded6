"""Gold for editors and judges: what there is, what is drafted, reviewed and disputed, and where it was planted."""
