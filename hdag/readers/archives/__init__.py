"""Files of traces as a whole, archives among them: zips of records, of texts, and the logs of Inspect AI; nothing is
unpacked to a disk.
"""
