"""Other people's programs judge our log; needs node with npm, or the Go toolchain, and the package registries once."""
