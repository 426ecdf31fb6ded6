"""Fields of knowledge: one name each, what else they are called, and which lies within which.

A spelling must not decide who is asked: "maths", "math" and "mathematics" are one field, and who judges maths judges
school maths. A name that nobody listed here stands for itself.
"""

_SYNONYMS: dict[str, tuple[str, ...]] = {
    "maths": ("math", "mathematics", "mathematical reasoning"),
    "school maths": ("school math", "school mathematics", "grade school maths", "grade school math", "arithmetic"),
    "competition maths": (
        "competition math",
        "competition mathematics",
        "contest maths",
        "contest math",
        "olympiad",
        "olympiad maths",
        "olympiad mathematics",
    ),
    "finance": ("financial", "accounting", "banking"),
    "medicine": ("medical", "clinical", "clinical medicine", "healthcare", "health"),
    "law": ("legal", "jurisprudence"),
    "physics": ("physical sciences", "mechanics"),
    "chemistry": ("chemical",),
    "biology": ("life sciences", "biological sciences"),
    "statistics": ("probability", "probability and statistics", "stats"),
    "economics": ("microeconomics", "macroeconomics"),
    "history": ("world history",),
    "logic": ("logical reasoning", "formal logic"),
    "programming": (
        "computer science",
        "cs",
        "code",
        "coding",
        "software",
        "software engineering",
        "computer programming",
    ),
}
_WITHIN = {"school maths": "maths", "competition maths": "maths", "statistics": "maths"}
_NAMES = {synonym: name for name, synonyms in _SYNONYMS.items() for synonym in synonyms}


def field_name(*, text: str) -> str:
    """The one name of a field.

    >>> field_name(text=" Mathematics "), field_name(text="legal"), field_name(text="Geology")
    ('maths', 'law', 'geology')
    """
    plain = " ".join(text.casefold().replace("-", " ").replace("_", " ").split())
    return _NAMES.get(plain, plain)


def covers(*, named: str, domain: str) -> bool:
    """Whether who names a field judges a domain: the same one, or one that lies within it.

    >>> covers(named="mathematics", domain="school maths"), covers(named="school maths", domain="maths")
    (True, False)
    """
    wanted, field = field_name(text=domain), field_name(text=named)
    return field in (wanted, _WITHIN.get(wanted))


def is_listed(*, domain: str) -> bool:
    """Whether a field is one that this list has; elsewhere only the same letters match."""
    return field_name(text=domain) in _SYNONYMS
