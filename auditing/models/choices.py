"""Enums of the cores as Django choices: one source for database, forms and API."""

from enum import StrEnum


def choices(enum: type[StrEnum]) -> list[tuple[str, str]]:
    """(value, label) pairs of an enum of the cores; the label is the value with blanks for underscores."""
    return [(member.value, member.value.replace("_", " ")) for member in enum]


def values(enum: type[StrEnum]) -> list[str]:
    """The values of an enum, for check constraints."""
    return [member.value for member in enum]
