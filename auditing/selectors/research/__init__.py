"""Reading for researchers: what may leave the house, and the figures of its pages."""
