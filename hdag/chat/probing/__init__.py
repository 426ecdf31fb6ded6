"""Finding out what a server takes: a small trial, and a probe with every question of the product."""
