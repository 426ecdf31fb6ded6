"""Norming rooms: a set of practice passages voted blind, revealed, discussed and voted again."""
