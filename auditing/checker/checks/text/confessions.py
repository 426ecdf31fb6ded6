"""Checker: a step that calls its own deed wrong while it does it: "we mistakenly get 191", "incorrectly divide by 2".

It is a habit of texts whose errors were written on purpose, and no sign of an error in others. The deed must be the
step's own and stand in the present tense; what others do, what is supposed, denied, asked, quoted or taken back is no
confession.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_confession
from auditing.checker.reading.certainty import is_program
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import takes_back
from hdag.core.text.cues import Cue

NAME = "confessions"
_OWN, _ITS_RESULT = "a deed of its own called wrong", "its own result called wrong"
_WRONGLY = r"(?:incorrectly|mistakenly|erroneously|wrongly|falsely|by\s(?:mistake|error))"
# the plain form alone: "we incorrectly assumed" tells of what was, and so may "put", "set" and "read"
_DEED = (
    r"(?:add|apply|assert|assume|calculate|cancel|carry|change|claim|combine|compute|conclude|consider|continue|convert|"
    r"count|declare|deduce|derive|differentiate|distribute|divide|drop|equate|estimate|evaluate|exclude|expand|factor|"
    r"find|get|identify|ignore|include|infer|integrate|interpret|list|multiply|obtain|omit|replace|round|say|simplify|"
    r"solve|square|state|substitute|subtract|sum|swap|switch|take|treat|use|write)"
)
_DEEDS = Cue(
    rf"(?<![\w'’-])(?:(?P<who>let['’]?s|let\sus|let\sme|we|I)\s{_WRONGLY}\s{_DEED}|(?P<bare>{_WRONGLY}\s{_DEED}|"
    rf"(?:assume|claim|conclude|say|state|write)\s{_WRONGLY}))(?![\w'’-])",
    re.IGNORECASE,
)
_BAD = r"(?:incorrect|wrong|erroneous|faulty|mistaken|misleading)"
_THING = (
    r"(?:answer|assumption|calculation|computation|conclusion|count|equation|expression|factori[sz]ation|formula|"
    r"number|product|result|simplification|step|substitution|sum|total|value)s?"
)
_DONE = (
    r"(?:added|assumed|calculated|cancell?ed|computed|concluded|converted|counted|evaluated|excluded|expanded|factored|"
    r"included|listed|multiplied|rounded|simplified|stated|subtracted|taken|treated|written)"
)
_FORMULA = r"(?:[^\n.;:?!]|\.\d){2,100}?"
_RESULTS = Cue(
    # is mistakenly calculated as 2310, it's simplified wrongly as ...
    rf"\b(?:is|are|it['’]s)\s(?:{_WRONGLY}\s{_DONE}|{_DONE}\s{_WRONGLY})\s(?:as|to be)\s(?=[-\\$(\w])|"
    # we get incorrect results: ...
    rf"\bwe\s(?:get|obtain|arrive\sat|reach)\s(?:an?\s|the\s)?{_BAD}\s{_THING}(?=\s?[:=])|"
    # = 18 (misleading incorrect sum)
    rf"(?<=[\d)$\]}}])\s?\((?:an?\s|the\s)?(?:{_BAD}\s){{1,2}}{_THING}\)|"
    # we get 17 * 41 = 1 erroneously.
    rf"\bwe\s(?:get|obtain)\s(?=[-\\$(\d]){_FORMULA}\s{_WRONGLY}(?=[.:]|$)|"
    # becomes sin(2y) after simplifying the functions incorrectly.
    rf"\b(?:becomes|gives|is|we\sget)\s(?=[-\\$(\d]){_FORMULA}\s(?:after|by)\s[a-z]{{3,14}}ing\s[a-z ]{{0,60}}\s"
    rf"{_WRONGLY}(?=[.:]|$)|"
    # by mistakenly adding 3 and 4, we get 8
    rf"\bby\s{_WRONGLY}\s[a-z]{{3,14}}ing\s{_FORMULA},\swe\s(?:{_WRONGLY}\s)?(?:get|got|obtain)(?=:?\s[-\\$(\d])|"
    rf"\bthis\s(?:{_WRONGLY}|misleadingly)\s(?:adds\sup\sto|gives|yields|results\sin|simplifies\sto|becomes|equals)"
    r"(?=:?\s[-\\$(\d])|"
    rf"\bthis\sstep\sis\s(?:incorrect|wrong|erroneous)(?=\s(?:because|as|since)\b|\.)",
    re.IGNORECASE,
)
# before the deed: a condition, a denial, other people, a step that is looked back on
OF_OTHERS = any_of(r"""
    if unless lest otherwise when whenever where whether would could might may can cannot should must will never not
    no avoid* without rather often common* usual* sometimes easily easy tempt* careful* suppos* imagine pretend
    hypothe* test students? people person pupils? teachers? someone somebody others you he she who his her their
    author* solver* reader* solution answers? choices? options? statements? argument claims? proof model book key
    problem issue mistake* errors? flaw* reason* trap* pitfall* fault* earlier previous* above before already
    initial* original* instance example note* notice* reali[sz]e* seem* appear* recall* remember* see saw last
    in_(?:the_)?(?:step|line|part|equation)_\d+ that how why what* oops sorry wait redo
""")
_DENIED = re.compile(r"n['’]t\b|\bthey(?! are \d)\b", re.IGNORECASE)
# where an imperative may begin
_BEGINS = re.compile(
    r"(?:^|[:;(]\s?|(?:^|[,;:]\s)(?:and|so|then|now|but|also|next|thus|hence|therefore|finally|first|instead|however)"
    r"(?:\s(?:we\s)?(?:then|now|also|just|simply))?,?\s|"
    r"^\W*(?:next|then|now|instead|however|similarly|finally|also|first|to\s|after|using|following|instead\sof\s)"
    r"[^,;:]{0,120},\s(?:and\s|then\s)?)$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:^|\b)(?:we|let['’]s|let us|let me|they are \d)\b.{0,200}\b(?:and|then),?\s(?:then\s)?$", re.I | re.S
)
_STEP = re.compile(r"^\W*(?:step\s\d{1,3}\s?[:.)-]+\s{0,2}|\d{1,2}[.)]\s|[-*•]\s)", re.IGNORECASE)
# behind the deed, in its sentence or the next ones
_REPAIRED = Cue(
    r"\b(?:should|ought|wait|oops|hmm+|actually|in fact|in reality|contradict\w*|impossible|absurd|sorry|would|"
    r"(?:the|a|an|its) (?:correct|right|true|actual|proper) (?:answer|value|result|way|method|formula|approach|"
    r"expression|sum|total|number|form|one|calculation|step)|correct(?:ed|ing|ion|s)\b|to correct|"
    r"let['’]s (?:correct|fix|redo)|"
    r"(?:so|thus|hence|therefore),? (?:we|I) (?:must|need to|have to)|we (?:must|need to|have to)|"
    r"(?:subtract|divide|remove|undo) (?:them|it|these|those|this|out)|to (?:fix|undo|see|show|illustrate|demonstrate)|"
    r"for the sake of|for a moment|for contradiction|redo|if|choices?|options?)\b|\?",
    re.IGNORECASE,
)
_OPENS_ANEW = re.compile(
    r"\W*(?:but|however|this|that|which|which means|so this)\b.{0,80}\b(?:contradict|impossib|absurd|cannot|can['’]t|"
    r"wrong|incorrect|not (?:true|right|possible|correct))",
    re.IGNORECASE,
)
# a passage that looks an error over, its own or another's
_LOOKED_OVER = Cue(r"\b(?:the|this|that)\s(?:\w+\s)?(?:error|mistake)\b", re.IGNORECASE)
_COMPARED = Cue(r"\b(?:errors?|mistakes?|correct(?:ly)?|original|transformed|rather\sthan|instead\sof\sthe)\b", re.I)
# a problem of mistakes, or one whose solution is looked over
_ABOUT_ERRORS = Cue(
    r"mistak|erro(?:r|n)|incorrect|wrong|misread|flaw|fallac|\bbugs?\b|false|solution:|\b(?:check|review|grade|critique|"
    r"evaluate|assess|judge|verify|analy[sz]e)\s(?:the|this|his|her|their|my|whether|each|following)\b|"
    r"['’]s?\s(?:solution|work|answer|proof|reasoning|method|argument)|\bclaims?\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?](?:\s|\\\]\s?|\$\s)|\n")
# characters of a sentence before the deed, and of what follows it
LONGEST, BEHIND, NEXT = 400, 260, 140


def check(script: Script) -> Iterator[Placed]:
    """Every deed and every result that a step itself calls wrong."""
    forms = [form for form in ((_DEEDS, _OWN), (_RESULTS, _ITS_RESULT)) if script.near(form[0])]
    if not forms or _ABOUT_ERRORS.search(script.problem.text):
        return
    for index, passage in enumerate(script.passages):
        following = script.passages[index + 1].text[:NEXT] if index + 1 < len(script.passages) else ""
        for cue, rule in forms:
            for match in cue.finditer(passage.text):
                if _is_confessed(passage, match, following, rule):
                    yield _placed(passage, match, rule)
                    break


def _sentence_start(text: str, start: int) -> int:
    ends = [match.end() for match in _SENTENCE.finditer(text, max(0, start - LONGEST), start)]
    return ends[-1] if ends else max(0, start - LONGEST)


def _is_confessed(passage: Passage, match: re.Match[str], following: str, rule: str) -> bool:
    text, start, end = passage.text, match.start(), match.end()
    begins = _sentence_start(text, start)
    head = text[begins:start]
    if start - begins >= LONGEST or OF_OTHERS.search(head) or _DENIED.search(head) or _is_quoted(text, begins, start):
        return False
    # a bare deed must be an order to oneself: "students who rush, incorrectly assume" is none
    if rule == _OWN and match["bare"] and not (_BEGINS.search(_STEP.sub("", head)) or _JOINED.search(head)):
        return False
    if _LOOKED_OVER.search(text) or (rule == _ITS_RESULT and _COMPARED.search(text)):
        return False
    behind = text[end : end + BEHIND]
    is_repaired = _REPAIRED.search(behind) or takes_back(following) or _OPENS_ANEW.match(following)
    return not is_repaired and not is_program(text=text, start=start, end=end)


def _is_quoted(text: str, begins: int, start: int) -> bool:
    line = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
    head = text[begins:start]
    return head.count('"') % 2 == 1 or head.count("“") > head.count("”") or line.startswith(("#", "//", ">", "%"))


def _placed(passage: Passage, match: re.Match[str], rule: str) -> Placed:
    begins = _sentence_start(passage.text, match.start())
    begins += len(passage.text[begins : match.end()]) - len(passage.text[begins : match.end()].lstrip())
    words = " ".join(match.group().split())[:160]
    details = {"rule": rule, "evidence_latex": rf"\text{{{rule}}}"}
    return place(
        passage=passage,
        start=begins,
        end=match.end(),
        checker=NAME,
        rule=rule,
        verdict=Verdict.REFUTED,
        sentence=f"The step itself calls this wrong: “{words}”.",
        details=details | (of_confession(passage.text[begins : match.end()]) if rule == _OWN else {}),
        grade=Grade.CERTAIN if rule == _OWN else Grade.LIKELY,
    )
