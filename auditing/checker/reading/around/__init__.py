"""What stands around a relation and tells that its sides are others than they look."""
