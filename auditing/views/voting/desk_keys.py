"""The keys of the desk: one table, from which the page, its help and the test of docs/guides/desk.md are drawn."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.utils.html import format_html
from django.utils.safestring import SafeString

from auditing.core.voting.rationale import Criterion, ErrorType

ELSEWHERE = {"?": "the sheet of keys", "o": "opening one's own votes"}  # on the same page, outside this table


@dataclass(frozen=True, slots=True)
class Key:
    """One key: `name` stays when its owner gives it another stroke."""

    name: str
    stroke: str
    does: str

    @property
    def on(self) -> SafeString:
        """The attributes of the element that the key presses."""
        return format_html('data-key="{}" data-key-id="{}" data-key-label="{}"', self.stroke, self.name, self.does)

    @property
    def hint(self) -> SafeString:
        """The stroke, drawn beside what it does."""
        return format_html('<kbd class="key" aria-hidden="true">{}</kbd>', self.stroke)


def check_keys(keys: Iterable[Key]) -> dict[str, Key]:
    """The keys by name. Two meanings for one stroke stop the server before it starts.

    >>> check_keys([Key("pass", "1", "Pass"), Key("fail", "1", "Fail")])
    Traceback (most recent call last):
    django.core.exceptions.ImproperlyConfigured: The key "1" of the desk means both "Pass" and "Fail".
    """
    taken = dict(ELSEWHERE)
    by_name: dict[str, Key] = {}
    for key in keys:
        if key.stroke in taken:
            problem = f'The key "{key.stroke}" of the desk means both "{taken[key.stroke]}" and "{key.does}".'
            raise ImproperlyConfigured(problem)
        taken[key.stroke], by_name[key.name] = key.does, key
    return by_name


def words(name: str) -> str:
    """How a criterion or a kind of error is written."""
    return name.replace("_", " ")


# A propagated error is no choice of the list: it has a key of its own, p, and changes what the vote says.
ERRORS = tuple(error for error in ErrorType if error is not ErrorType.PROPAGATED)
CONFIDENCES = (50, 60, 70, 80, 90, 100)
_CRITERIA = [
    Key(f"criterion.{criterion}", stroke, f"{words(criterion).capitalize()}: next answer")
    for criterion, stroke in zip(Criterion, "qwerty", strict=True)
]
_ERRORS = [
    Key(f"error.{error}", stroke, f"Error: {words(error)}") for error, stroke in zip(ERRORS, "zxcvbn", strict=True)
]
_SURE = [
    Key(f"sure.{percent}", stroke, f"{percent} % sure") for percent, stroke in zip(CONFIDENCES, "567890", strict=True)
]
DESK_KEYS = check_keys(
    [
        Key("pass", "1", "Pass"),
        Key("fail", "2", "Fail"),
        Key("abstain", "3", "Abstain"),
        Key("propagated", "p", "Wrong only because an earlier step is wrong"),
        *_ERRORS,
        Key("all", "a", "All criteria: yes"),
        *_CRITERIA,
        *_SURE,
        Key("reason", "s", "Say why"),
        Key("seal", "Enter", "Seal and next"),
        Key("mark", "m", "Mark the selected place"),
        Key("back", "[", "Mark the sentence or the step before"),
        Key("on", "]", "Mark the next sentence or step"),
        Key("problem", "h", "Go to the problem"),
        Key("dependency", "d", "Go to the next dependency, and see where it is used"),
        Key("current", "f", "Go to the current reasoning"),
        Key("implication", "i", "Go to the next implication"),
        Key("guidelines", "g", "Guidelines"),
        Key("scratchpad", "4", "Scratchpad"),
        Key("skip", "j", "Pass this segment on"),
        Key("missing", "u", "A premise is missing: pick it from the outline"),
        Key("contested", "l", "Adjudication: next reason why it was contested"),
        Key("cut", "k", "Badly cut passage"),
        Key("danger", "!", "Report dangerous content"),
    ]
)
