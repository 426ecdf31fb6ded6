"""Archives of traces: zips of records, of texts, and the logs of Inspect AI; nothing is unpacked to a disk."""
