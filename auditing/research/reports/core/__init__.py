"""What a reader is told of an audit's outcome."""
