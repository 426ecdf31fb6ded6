"""Other annotation systems beside ours and the floor, each in a virtual environment of its own: `make bench-peers`."""
