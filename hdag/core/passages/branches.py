"""Abandoned branches: stretches that a trace tries and gives up, which are asked once, as a branch.

"Maybe a parabola works. ..."  "..."  "That doesn't work, so let me try a line."   -> one branch of three passages
"""

from collections.abc import Sequence

from hdag.core.passages.atoms import Atom
from hdag.core.passages.phrases import phrases

MOST = 60  # atoms of one branch
_BEFORE = r"\W*(?:(?:okay|ok|hmm+|wait|alright|well|so|now|or|but|and)[\s,.…]+)*"
_OPENS = phrases(
    rf"""
    {_BEFORE}(?:maybe|perhaps|alternatively|what if|suppose|vielleicht|angenommen)\b
    {_BEFORE}another (?:way|approach|idea|method)\b
    {_BEFORE}let(?:'?s| me) (?:try|suppose|assume)\b
    {_BEFORE}(?:i could try|one (?:way|idea|approach))\b
    """
)
_GIVES_UP = phrases(
    r"""
    \b(?:that|this|it) (?:does not|doesn't|won't|will not|can't|cannot) (?:work|help|be right|fit|lead)
    \b(?:dead end|never ?mind|scrap (?:that|this)|scratch that|abandon|give up on)
    \bthis is getting (?:too )?(?:complicated|messy|long)
    \b(?:that|this)(?:'s| is) (?:not going|going) (?:anywhere|nowhere)
    \bnot (?:going anywhere|helpful|the right approach)
    \bso (?:that|this) (?:approach|idea|way) (?:fails|is wrong|is out)
    \bdas funktioniert nicht
    """
)


def find_abandoned(*, atoms: Sequence[Atom]) -> list[range]:
    """The branches of `atoms` (positions) that are given up, each from where it is opened to where it is given up.

    Input steps are never in one: whoever handed them in wants each judged.
    """
    branches: list[range] = []
    opened = -1
    for index, atom in enumerate(atoms):
        head = atom.text[:400]
        if atom.step is not None:
            opened = -1
        elif opened >= 0 and _GIVES_UP.search(head):
            if index - opened < MOST:
                branches.append(range(opened, index + 1))
            # "That doesn't work; maybe a line does." opens the next one.
            opened = -1
        elif _OPENS.match(head):
            opened = index
    return branches
