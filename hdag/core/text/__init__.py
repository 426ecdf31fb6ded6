"""Looking at text: patterns that cost little where they cannot match, and what a segment is called in short."""
