"""Doubles of the servers that people have: each refuses what its documentation says it refuses, and answers as it does.

Written from the documentation, apart from hdag/chat: no rule is shared. Each rule names where it stands and when that
was read (or when its thread was written).
"""
