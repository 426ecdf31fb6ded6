"""Pages for researchers."""
