"""What is asked of nobody: the reason code of each atom, Why.ASKED for one that claims something of its own.

The input's own steps are judged as they were handed in: they lose their seat only where nothing is claimed in any
reading (a heading, a mark, the same words once more).

    "## Step 2"  heading     "Wait, let me check."  meta     "Let v be its speed."  definition     "So v = 3."  asked
"""

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hdag.core.levels import Level
from hdag.core.passages.atoms import Atom
from hdag.core.passages.phrases import phrases
from hdag.core.passages.values import Why
from hdag.core.spans import Span
from hdag.core.values import Graph

LEAST = 12  # letters and digits of a claim that can be judged
REPEATED = 20  # letters and digits from which a verbatim repeat is one
SHORT, LONGEST_LEAD_IN = 240, 160  # characters of meta talk or a definition; of a line that announces
RESTATED = 0.8  # share of runs of three words that a restatement has in common with the problem
_HEADING = re.compile(
    r"#{1,6} [^\n]*|\*\*[^*\n]{1,120}\*\*:?|(?:step|part|case|option)\s+[\dA-Z]{1,3}\s*[:.]?", re.IGNORECASE
)
# "II. Confrontation Clause": a line of an outline, few words and no sentence.
_OUTLINE = re.compile(r"(?:[IVX]{1,5}|[A-H]|\d{1,2}(?:\.\d{1,2}){1,2})[.)]?\s+[^\W\d_][^\n.!?=<>:;]{2,60}[.:]?")
# What a last bold line says when it is the answer: a number, a formula, a letter of the options.
_ANSWERS = re.compile(r"^\W*+(?!(?:step|part|case|section)\b)(?:.*[\d=\\]|[A-J]\W*$)", re.IGNORECASE | re.DOTALL)
_PROMPT = phrases(
    r"""
    (?:</?[a-z_]{2,24}>\s*|<\|[a-z_]{2,24}\|>\s*)+
    \W*TERMINATE\W*
    exitcode: \d+ \([\w ]+\)(?:\s*Code output:)?
    (?:user|assistant|human|ai|system|q|a|input|output|problem|question)\s*:
    there is no code from the last \d+ messages? for me to execute\..{0,400}
    \W*let'?s think (?:about (?:this|it) )?step by step\W*
    """
)
_OUTPUT = re.compile(
    r"(?:[A-Z]\w{1,30}: )?(?:exitcode: \d+ \(|(?:Observation|Tool output|Tool result|Execution result)s?:\s)"
)
_SIGNS = re.compile(r"[\d=<>≤≥≈\\]")
_INTERJECTION = """
okay ok hmm+ hm wait alright well so now right oh ah aha huh ugh yeah yes no good great nice perfect sure actually
anyway first then next and but also moment halt
"""
_OPENING = rf"(?:(?:{'|'.join(_INTERJECTION.split())})\b[\s,.!?…—-]*)"
_INTENT = """
let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|i should|i want to|i have to|we need to|we should|
we want to|we have to|i must|maybe i|perhaps i|can i|could i|should i|lass mich|ich muss
"""
_WORK = """
think see check double re-?check verify try start begin look go re-?read recall remember figure work understand make
be break consider reconsider recompute recalculate compute calculate find determine solve proceed continue move step
pause organi[sz]e write process keep use apply denken prüfen überlegen
"""
_MOOD = """
frustrating tricky confusing hard difficult complicated messy weird strange odd tough annoying interesting
"""
_META = phrases(
    rf"""
    {_OPENING}*(?:{"".join(_INTENT.split(chr(10)))})\s(?:\w+ )?(?:\w+ )?(?:{"|".join(_WORK.split())})\b.{{0,200}}
    {_OPENING}*(?:this|that|it)(?:'s| is| was| gets| seems| looks)(?: \w+)? (?:{"|".join(_MOOD.split())}).{{0,200}}
    {_OPENING}*i(?:'m| am) (?:confused|stuck|not sure|lost|unsure|overthinking).{{0,200}}
    {_OPENING}*(?:does (?:that|this|it) make sense|is (?:that|this) (?:right|correct)|not sure|where was i).{{0,200}}
    {_OPENING}+
    """
)
# A reason or a consequence: whoever gives one claims something.
_REASONS = re.compile(
    r"\b(?:because|since|therefore|thus|hence|so that|implies|means|must|cannot|can['’]t|weil|daher|folgt)\b", re.I
)
_DEFINITION = phrases(
    r"""
    (?:so |now |first,? |then |also )?let \S{1,24} (?:be|denote|represent|stand for)\b.{0,200}
    (?:so |now |first,? )?let us (?:denote|define|call)\b.{0,200}
    (?:so |now )?(?:we )?(?:denote|define|call|write)\b.{0,200}
    sei(?:en)? .{0,200}
    """
)
_OPERATORS = frozenset("+-−*/^=<>≤≥≠≈%!|()[]{}")
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# What may stand around proved operations without claiming more than they do.
_CONNECTIVES = frozenset(
    "so then thus hence therefore and now we get have which gives is that this it equals first next".split()
)


@dataclass(frozen=True, slots=True)
class Proofs:
    """What the computer proved: labels, and each statement."""

    labels: frozenset[str]
    statements: frozenset[str]  # as signs() writes them
    operations: Mapping[str, tuple[str, ...]]  # of each step, the contents of its operations if all are proved


def find_proofs(*, graph: Graph, verified: Collection[str]) -> Proofs:
    """The proofs of a trace, from the labels of its verified segments."""
    by_id = {segment.id: segment for segment in graph.segments}
    labels = frozenset(verified) & by_id.keys()
    operations = {
        parent: tuple(by_id[child].content for child in children)
        for parent, children in graph.children().items()
        if children and by_id[parent].level is Level.STEP and labels.issuperset(children)
    }
    return Proofs(labels, frozenset(signs(by_id[label].content) for label in labels), operations)


def find_reasons(
    *, atoms: Sequence[Atom], problem: str, proofs: Proofs, records: Sequence[Span] = (), alone: Collection[int] = ()
) -> list[Why]:
    """For each atom why it is asked of nobody, Why.ASKED where it is.

    records: where records of tools stand in the text. alone: positions of atoms that are paragraphs of their own.
    """
    bare_problem = bare(problem)
    # an input step restates a problem by its very words alone
    are_compared = any(atom.step is None for atom in atoms)
    runs = frozenset(_runs(problem)) if are_compared else frozenset()
    numbers = frozenset(_NUMBER.findall(problem)) if are_compared else frozenset()
    pieces = Counter(atom.step for atom in atoms)
    recorded = _recorded_steps(atoms)
    seen: set[str] = set()
    reasons = []
    texts = [atom.text.strip() for atom in atoms]
    letters_of, statements = [bare(text) for text in texts], [signs(atom.text) for atom in atoms]
    first_reasons = [_claims_nothing(text, letters) for text, letters in zip(texts, letters_of, strict=True)]
    last = _last_saying(first_reasons)
    for number, atom in enumerate(atoms):
        text, letters, why = texts[number], letters_of[number], first_reasons[number]
        if why is Why.HEADING and number == last and _ANSWERS.search(atom.text):
            why = Why.ASKED  # nothing stands below it: "**61/216**" is the answer
        elif not why and number in alone and number < last and _OUTLINE.fullmatch(text):
            why = Why.HEADING
        why = why or _proved(atom, statements[number], proofs)
        if atom.step in recorded or (records and _is_recorded(atom, records)):
            why = Why.TOOL_RECORD
        if not why and len(letters) >= REPEATED:
            # "x + 1 = 3" does not repeat "x - 1 = 3"
            why = Why.REPEAT if statements[number] in seen else _restates(atom, letters, bare_problem, (runs, numbers))
        # An input step keeps its seat where only its wording speaks against it; a sentence of a long one need not.
        if not why and (atom.step is None or pieces[atom.step] > 1):
            why = _talks(text)
        reasons.append(why or _too_little(text, letters))
        if len(letters) >= REPEATED:
            seen.add(statements[number])
    return reasons


def _recorded_steps(atoms: Sequence[Atom]) -> set[int]:
    """The input steps that are the output of a tool, by how they begin: a record, judged by those who use it."""
    first: dict[int, str] = {}
    for atom in atoms:
        if atom.step is not None:
            first.setdefault(atom.step, atom.text)
    return {step for step, text in first.items() if _OUTPUT.match(text)}


def _last_saying(first_reasons: Sequence[Why]) -> int:
    """The position of the last atom that is neither separator nor prompt; -1 where there is none."""
    silent = (Why.SEPARATOR, Why.PROMPT)
    return max((number for number, why in enumerate(first_reasons) if why not in silent), default=-1)


def _is_recorded(atom: Atom, records: Sequence[Span]) -> bool:
    """Whether all that an atom says stands in records of tools; tags and a few letters around them say nothing."""
    at = max(0, bisect.bisect_right(records, Span(atom.start, atom.start)) - 1)
    outside, cursor = [], atom.start
    for record in itertools.takewhile(lambda span: span.start < atom.end, records[at:]):
        if record.end > atom.start:
            outside.append(atom.text[cursor - atom.start : max(cursor, record.start) - atom.start])
            cursor = record.end
    if cursor == atom.start:
        return False
    outside.append(atom.text[max(0, cursor - atom.start) :])
    return len(bare("".join(outside))) < LEAST


def _claims_nothing(text: str, letters: str) -> Why:
    if not letters:
        return Why.SEPARATOR
    if len(text) < 500 and _PROMPT.fullmatch(text):
        return Why.PROMPT
    return Why.HEADING if _HEADING.fullmatch(text) else Why.ASKED


def _proved(atom: Atom, statement: str, proofs: Proofs) -> Why:
    """Whether the computer proved all that the atom states, here or in another place."""
    if atom.label in proofs.labels:
        return Why.PROVED
    if statement in proofs.statements:
        return Why.PROVED_BEFORE
    operations = proofs.operations.get(atom.label, ()) if atom.is_step else ()
    if not operations:
        return Why.ASKED
    remainder = atom.text
    for operation in operations:
        remainder = remainder.replace(operation, " ", 1)
    # "So 3 + 4 = 7 apples are left": the words state more than the sum, and somebody is asked.
    says_no_more = all(word.lower() in _CONNECTIVES for word in _WORD.findall(remainder))
    return Why.PROVED if says_no_more else Why.ASKED


def _restates(atom: Atom, letters: str, bare_problem: str, problem: tuple[frozenset[str], frozenset[str]]) -> Why:
    """Whether the atom says the problem again.

    Its very words, or (no input step) nearly all of them and no new number.
    """
    if len(letters) >= 2 * REPEATED and letters in bare_problem:
        return Why.RESTATED_PROBLEM
    if atom.step is not None:
        return Why.ASKED
    runs = _runs(atom.text)
    if len(runs) < 6 or not problem[1].issuperset(_NUMBER.findall(atom.text)):
        return Why.ASKED
    shared = sum(run in problem[0] for run in runs)
    return Why.RESTATED_PROBLEM if shared >= RESTATED * len(runs) else Why.ASKED


def _talks(text: str) -> Why:
    """Whether `text` talks about the work or only names something: no sign of mathematics, no reason, not long."""
    if len(text) > SHORT or _SIGNS.search(text) or _REASONS.search(text):
        return Why.ASKED
    if _META.fullmatch(text):
        return Why.META
    if text.endswith(("?", "？")):
        return Why.QUESTION
    return Why.DEFINITION if _DEFINITION.fullmatch(text) else Why.ASKED


def _too_little(text: str, letters: str) -> Why:
    """Whether `text` only announces, or is too little to be judged."""
    if announces(text=text) and len(text) < LONGEST_LEAD_IN and "=" not in text:
        return Why.LEAD_IN
    return Why.FRAGMENT if len(letters) < LEAST else Why.ASKED


def claims_nothing(*, text: str) -> bool:
    """Whether `text`, an input step or not, only talks about the work, announces, or is too little to be wrong.

    >>> claims_nothing(text="We should process each input one by one."), claims_nothing(text="So x is odd, not even.")
    (True, False)
    """
    letters = bare(text)
    return bool(_claims_nothing(text.strip(), letters) or _talks(text.strip()) or _too_little(text.strip(), letters))


def announces(*, text: str) -> bool:
    """Whether `text` ends in a colon, so that what follows belongs to it.

    >>> announces(text="**We get:**"), announces(text="We get 3.")
    (True, False)
    """
    return text.rstrip("*_ \n\t").endswith((":", "："))


def bare(text: str) -> str:
    """Letters and digits alone, in lower case: what two verbatim repeats share whatever their marks."""
    if text.isascii():
        return text.lower().encode().translate(None, _NO_LETTERS).decode()
    return "".join(filter(str.isalnum, text.lower()))


def signs(text: str) -> str:
    """Letters, digits and the signs that change what a formula says: what two statements of the same share."""
    if text.isascii():
        return text.lower().encode().translate(None, _NO_SIGNS).decode().rstrip("!")
    return text.lower().translate(_TO_SIGNS).rstrip("!")


_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())
_NO_SIGNS = bytes(code for code in _NO_LETTERS if chr(code) not in _OPERATORS)


class _OnlySigns(dict[int, int | None]):
    """For str.translate: None for a character that is no sign; each is asked about once."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        self[code] = code if char.isalnum() or char in _OPERATORS else None
        return self[code]


_TO_SIGNS = _OnlySigns()


def _runs(text: str) -> list[str]:
    """Three words in a row, for each word but the last two."""
    words = [word.lower() for word in _WORD.findall(text)]
    return [" ".join(words[start : start + 3]) for start in range(len(words) - 2)]
