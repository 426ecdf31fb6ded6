"""How a state looks: one table of word, shape and colour, read by badges, graphs and legends alike."""

from dataclasses import dataclass

_RING = "M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z"
_OCTAGON = "M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z"
_DIAMOND = "M8 .9 15.1 8 8 15.1.9 8z"
_SQUARE = "M2 2h12v12H2z"

GLYPHS = {
    "pass": f"{_RING}M5 8.3l2.1 2.1L11.2 6",
    "fail": f"{_OCTAGON}M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6",
    "hung": "M8 1.7 15 14H1zM8 6.2v3.6M8 11.8v.1",
    "undecided": f"{_DIAMOND}M6.5 6.6a1.6 1.6 0 1 1 2.3 1.5c-.5.2-.8.6-.8 1.1M8 11.1v.1",
    "pending": _RING,
    "active": f"{_RING}M8 4.4V8l2.6 1.6",
    "sealed": "M3.2 7.2h9.6V14H3.2zM5.4 7.2V5a2.6 2.6 0 0 1 5.2 0v2.2",
    "opened": "M3.2 7.2h9.6V14H3.2zM5.4 7.2V4.6a2.6 2.6 0 0 1 5-.9",
    "abstain": f"{_RING}M5 8h6",
    "recorded": f"{_SQUARE}M4.8 8.2l2.2 2.2 4.2-4.6",
    "withdrawn": f"{_RING}M3.5 12.5l9-9",
    "info": f"{_RING}M8 7.4v4M8 4.7v.1",
    "computer": "M4 4h8v8H4zM6.3 1.5V4M9.7 1.5V4M6.3 12v2.5M9.7 12v2.5M1.5 6.3H4M1.5 9.7H4M12 6.3h2.5M12 9.7h2.5",
    "llm": "M2 3h12v8H7.4L4 14v-3H2zM5 6.2h6M5 8.2h3.5",
    "human": "M8 1.8a2.9 2.9 0 1 1 0 5.8a2.9 2.9 0 1 1 0-5.8zM2.4 14.4c.3-3.1 2.6-4.8 5.6-4.8s5.3 1.7 5.6 4.8",
    "bell": "M3.4 11.6h9.2c-1-1-1.3-2.2-1.3-4.6a3.3 3.3 0 0 0-6.6 0c0 2.4-.3 3.6-1.3 4.6zM6.7 13.9h2.6M8 1.8v1.6",
    "theme": f"{_RING}M8 1.5v13M8 4h4.6M8 8h6.4M8 12h4.6",
    "brand": "M8 1v4M8 5 3.2 9.5M8 5l4.8 4.5M1.4 9.4h3.6v3.6H1.4zM11 9.4h3.6v3.6H11zM6.6 1h2.8v2.8H6.6z",
}


@dataclass(frozen=True, slots=True)
class Look:
    """A state's word, the glyph that gives its shape, and the CSS class that gives its colour."""

    word: str
    glyph: str
    css: str

    @property
    def path(self) -> str:
        """SVG path data of the glyph in a 16 x 16 box."""
        return GLYPHS[self.glyph]


def _looks(css: str, glyph: str, *words: str) -> dict[str, Look]:
    return {word: Look(word.replace("_", " "), glyph, f"is-{css}") for word in words}


LOOKS: dict[str, Look] = {
    **_looks("pass", "pass", "pass", "verified", "valid", "live", "confirmed", "sound"),
    **_looks("fail", "fail", "fail", "failed", "refuted", "revoked", "slashed", "unsound", "local error"),
    "hung": Look("no majority", "hung", "is-hung"),
    **_looks("hung", "hung", "contested", "escalated", "appealed", "overdue", "propagated error"),
    **_looks("undecided", "undecided", "undecided", "unknown"),
    **_looks("pending", "pending", "pending", "submitted", "decomposed", "routed", "open", "draft", "offered"),
    **_looks("pending", "abstain", "abstain", "not_applicable", "skipped", "no_vote", "silent", "declined", "lapsed"),
    **_looks("pending", "info", "given"),
    "parts": Look("by its parts", "info", "is-pending"),
    "unasked": Look("not asked", "info", "is-pending"),
    **_looks("pending", "withdrawn", "withdrawn", "cancelled", "closed", "expired"),
    **_looks("active", "active", "active", "auditing", "running", "seated", "leased", "paused", "revealing"),
    **_looks("active", "sealed", "sealed", "committed", "committing"),
    **_looks("active", "opened", "opened", "revealed"),
    **_looks("pass", "recorded", "decided", "settled", "recorded", "tallied", "done"),
}
TIERS = {
    "computer": Look("computer", "computer", "is-pending"),
    "llm": Look("language model", "llm", "is-pending"),
    "human": Look("person", "human", "is-pending"),
}
LEVEL_LETTERS = {"goal": "G", "strategy": "S", "tactic": "T", "step": "ST", "operation": "O"}


def look_of(state: object) -> Look:
    """The look of a state; a state this table does not know keeps its own word and a hollow ring.

    >>> look_of("pass").css, look_of("something_new").word
    ('is-pass', 'something new')
    """
    name = str(state or "pending").lower()
    return LOOKS.get(name) or Look(name.replace("_", " "), "pending", "is-pending")


def word_of(name: object) -> str:
    """A name of the code as people say it; what has no word of its own keeps its letters, with spaces.

    >>> word_of("hung"), word_of("llm"), word_of("depends_on")
    ('no majority', 'language model', 'depends on')
    """
    key = str(name)
    look = LOOKS.get(key) or TIERS.get(key)
    return look.word if look else key.replace("_", " ")
