"""The numbered bad inputs of docs/threats.md that a stranger can try by address, against any instance of one's own."""
