"""A person closes their own account: what must be finished before, what goes, and what stays."""
