"""What a passage rests on beyond the edges of its steps: terms by name, the conclusion on its branches.

The fine graph traces values from sentence to sentence. Between passages that leaves holes in prose: a word that was
given a meaning far above, "this" at the beginning, an answer that gathers what was found. Each rule points backwards.

    P1 "Let v be the speed."   P2 "The way is 3 km."   P3 "So it takes 3/v hours."   P3 -> P1 (v), P3 -> P2 ("So")
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from hdag.core.passages.phrases import phrases
from hdag.core.passages.seats import ANSWER
from hdag.core.passages.values import Passage, Why
from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge

RECENT = 12  # earlier passages that a word is remembered of
LEAST_SHARED = 2  # telling words that two passages must share
_POINTS_BACK = phrases(
    r"""
    \W*(?:so|thus|therefore|hence|then|this|that|these|those|it|they|but|however|because of (?:this|that)|which)\b
    \W*(?:also|daher|somit|folglich|dies|das|所以|因此|这)
    """
)
_NAMES = re.compile(
    r"\b(?:[Ll]et|[Dd]enote|[Dd]efine|[Cc]all|[Ss]ei)\s+(?:by\s+)?\\?[$(]?\s*([A-Za-z](?:_\{?\w{1,8}\}?)?)(?![A-Za-z])"
)
_OPTION = re.compile(r"\W*(?:(?:option|choice|answer|antwort)\s+)?\(?[A-Ja-j][.):]", re.IGNORECASE)
_ASKS = re.compile(r"[?？][\s*_]*$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{5,}")
_SYMBOL = re.compile(r"(?<![A-Za-z\\])([A-Za-z](?:_\{?\w{1,8}\}?)?)(?![A-Za-z])")


def further_premises(*, passages: Sequence[Passage], known: Mapping[str, Collection[str]]) -> Iterator[Edge]:
    """Edges passage -> earlier passage that the fine graph does not hold; `known`: the premises that it does.

    1. Who uses a symbol rests on the passage that names it. 2. Who begins with "so" or "this" rests on the one before.
    3. Who rests on no passage rests on the one that shares most telling words, else on the one before.
    4. An option rests on the question that it answers, where the trace asks one. 5. The conclusion rests on every asked
    passage that nothing else rests on. Linear in the text.
    """
    readable = [passage for passage in passages if passage.asked or passage.why in (Why.DEFINITION, Why.QUESTION)]
    used: set[str] = {base for bases in known.values() for base in bases}
    memory = _Memory()
    before, earlier = "", set[str]()
    for passage in readable:
        # A question is shown to those who answer it; itself it claims nothing that would rest on anything.
        if passage.why is Why.QUESTION:
            memory.question = passage.id
            continue
        bases = set(known.get(passage.id, ()))
        for base, why in memory.premises(passage, before, bases & earlier):
            if base not in bases:
                bases.add(base)
                used.add(base)
                yield _edge(passage.id, base, why)
        memory.learn(passage)
        before = passage.id
        earlier.add(before)
    closing = [passage for passage in readable if passage.id == ANSWER]
    claiming = [passage for passage in readable if passage.why is not Why.QUESTION]
    for passage in closing:
        # Step 5: what nobody used would otherwise be judged and then left hanging, whatever its outcome.
        for candidate in claiming[: claiming.index(passage)]:
            if candidate.id not in used and candidate.id not in known.get(passage.id, ()):
                yield _edge(passage.id, candidate.id, "the conclusion gathers what nothing else uses")


def naming_steps(*, texts: Mapping[str, str]) -> Callable[[str], Iterator[str]]:
    """From a text to the steps that name its symbols first. texts: of every step, by label, in reading order."""
    named: dict[str, str] = {}
    for label, text in texts.items():
        for symbol in _NAMES.findall(text):
            named.setdefault(symbol, label)
    return lambda text: (named[symbol] for symbol in dict.fromkeys(_SYMBOL.findall(text)) if symbol in named)


class _Memory:
    """What the passages so far have named and said."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.words: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=RECENT))
        self.question = ""  # the last passage that asks something

    def learn(self, passage: Passage) -> None:
        """Remember the symbols that `passage` names and the words that it uses."""
        for symbol in _NAMES.findall(passage.text):
            self.names.setdefault(symbol, passage.id)
        for word in _telling(passage.text):
            self.words[word].append(passage.id)
        if _ASKS.search(passage.text):
            self.question = passage.id

    def premises(self, passage: Passage, before: str, bases: Collection[str]) -> Iterator[tuple[str, str]]:
        """(passage, reason) for what `passage` rests on; `bases`: the earlier ones that it is known to rest on."""
        if not before:
            return
        symbols = dict.fromkeys(_SYMBOL.findall(passage.text)) if self.names else {}
        named = dict.fromkeys(self.names[symbol] for symbol in symbols if symbol in self.names)
        yield from ((base, "uses a symbol that is named there") for base in named)
        if self.question and _OPTION.match(passage.text):
            yield self.question, "is an option of the question that stands there"
        if _POINTS_BACK.match(passage.text):
            yield before, "goes on from the passage before"
        elif not bases and not named:
            yield self._likest(passage) or before, "shares telling words, or stands before it"

    def _likest(self, passage: Passage) -> str:
        """The earlier passage with the rarest words in common; the later of equals."""
        shared: Counter[str] = Counter()
        for word in _telling(passage.text):
            postings = self.words.get(word, ())
            # A word that stands in many passages tells little: each posting weighs less.
            shared.update({base: 12 // len(postings) for base in postings})
        best = max(shared, key=lambda base: (shared[base], int(base.strip("PA") or 0)), default="")
        return best if best and shared[best] >= LEAST_SHARED * 4 else ""


def _telling(text: str) -> list[str]:
    return sorted({word.lower()[:9] for word in _WORD.findall(text)})


def _edge(source: str, target: str, why: str) -> Edge:
    return Edge(source, target, Relation.DEPENDS_ON, Strength.WEAK, 0.5, why)
