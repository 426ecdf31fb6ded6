"""The summary of a segment: its first telling words, five at most, without a model."""

import re

# list marks and numbering in front of the words: "### Step 2:", "- ", "(3)"
LABEL = re.compile(r"\s*(?:[#>*\-+•\s]|step\s+\d{1,4}\s*[:.)-]|\(?\d{1,3}[.)]\s)*", re.IGNORECASE)
# words with inner dots, hyphens and apostrophes stay whole: "3.5", "x-axis", "don't", "20%"
WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*%?")
# the same in a text of ASCII, where what stands in a word can be named
ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:[.'-][A-Za-z0-9]+)*%?")
# Commands and braces of LaTeX say nothing in a summary: "\frac{1}{2}" leaves "1 2".
MARKUP = re.compile(r"\\[A-Za-z]+|[{}$\\]")
_EMPTY = """
a an and are as at be been but by can do does for from had has have he her his i if in into is it its just let may
me my now of ok okay on or our out she so some step such than that the their them then there these they this those
thus to us was we were what which will with would you your first next therefore hence finally
"""
EMPTY = frozenset(_EMPTY.split())
READ = 400  # characters looked at
WORDS, LONGEST = 5, 60


def summarise(*, content: str, is_equation: bool = False) -> str:
    """The first five telling words of `content`, an equation as it stands when short; at most 60 characters.

    >>> summarise(content="Step 2: So the total revenue from bread is 80 dollars a day.")
    'total revenue bread 80 dollars'
    """
    head = content[:READ]
    if is_equation and len(content) <= LONGEST:
        return " ".join(content.split())
    label = LABEL.match(head)
    plain = head[label.end() if label else 0 :]
    if "\\" in plain or "$" in plain or "{" in plain or "}" in plain:
        plain = MARKUP.sub(" ", plain)
    word = ASCII_WORD if plain.isascii() else WORD
    telling: list[str] = []
    for match in word.finditer(plain):
        candidate = match[0]
        if candidate.lower() not in EMPTY:
            telling.append(candidate)
            if len(telling) == WORDS:
                break
    # A segment of nothing but filler ("So it is.") keeps its own words.
    return " ".join(telling or word.findall(plain)[:WORDS])[:LONGEST] or " ".join(content.split())[:LONGEST]
