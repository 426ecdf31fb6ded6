"""Words by which a provider sorts traces: no part of the trace, so that they change no digest and reach no auditor."""

from collections.abc import Iterable

from hdag.core.errors import BadRecordError
from hdag.rendering.titles import one_line

MOST, LONGEST = 10, 40


def read_tags(*, words: Iterable[object], where: str) -> tuple[str, ...]:
    """The tags without outer blanks, composed (é is one sign), each once, in their order. Raises BadRecordError.

    >>> read_tags(words=[" easy", "2026 ", "easy", ""], where="form")
    ('easy', '2026')
    >>> read_tags(words=["bell\\a"], where="form")
    Traceback (most recent call last):
    ...
    hdag.core.errors.BadRecordError: form, tags: a tag holds no character that cannot be seen: 'bell\\x07'
    """
    tags: dict[str, None] = {}
    for word in words:
        if not isinstance(word, str):
            raise BadRecordError(where=where, field="tags", reason="must be a list of texts")
        tag = one_line(text=word)
        # A comma stands between tags in a form and in a row of a data set.
        if "," in tag or not tag.isprintable():
            what = "comma" if "," in tag else "character that cannot be seen"
            raise BadRecordError(where=where, field="tags", reason=f"a tag holds no {what}: {tag[:LONGEST]!r}")
        if len(tag) > LONGEST:
            raise BadRecordError(where=where, field="tags", reason=f"a tag has at most {LONGEST} characters")
        if tag:
            tags[tag] = None
    if len(tags) > MOST:
        raise BadRecordError(where=where, field="tags", reason=f"a trace has at most {MOST} tags")
    return tuple(tags)
