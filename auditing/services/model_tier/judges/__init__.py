"""The model tier: judges that cannot be talked round."""
