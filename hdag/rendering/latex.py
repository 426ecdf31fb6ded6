"""LaTeX as people write it becomes LaTeX that latex2mathml reads rightly; what must not or cannot be read is refused.

One pass over the tokens. Refused are macros, links, pictures and styles, unbalanced braces and nesting beyond sense;
rewritten are constructs that the library would print wrongly (aligned, gather, tag, SI, ce, text with formulas).
"""

import re
from collections.abc import Callable

LONGEST = 2_000
DEEPEST = 40

# a command, an escaped character, a brace, a run of anything else, a lone backslash at the end
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[{}]|[^\\{}]+|\\", re.DOTALL)
# "1,000" and "1{,}000" are one number; "f(1,2)" is not: no three digits behind the comma
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\d.,])\d{1,3}(?:\{,\}\d{3})+(?!\d)")
# chemistry: "H2SO4" -> H 2 S O 4, arrows, charges "^2-"
_ELEMENT = re.compile(r"[A-Z][a-z]?|\d+|[-=]>|<=>|\^\d*[-+]?|\S|\s+")
# Macros could run for ever, links and pictures leave the page, styles dress the text up: shown as written.
_REFUSED_WORDS = (
    r"\def \gdef \edef \xdef \let \newcommand \renewcommand \providecommand \DeclareMathOperator \newenvironment"
    r" \require \href \url \includegraphics \style \class \cssId \unicode \rule \input \include \write \special"
    r" \csname \catcode \html \htmlData \htmlClass \htmlId \htmlStyle \verb \tikz \usepackage \expandafter"
)
_REFUSED = frozenset(_REFUSED_WORDS.split())
# Spacing and invisible boxes: \phantom{x} hides x from the reader, so its braces are kept and it is shown.
_DROPPED_WORDS = (
    r"\nonumber \notag \displaylines \centering \noindent \allowbreak \nobreak \relax \mathstrut"
    r" \phantom \hphantom \vphantom \llap \rlap \clap \smash"
)
_DROPPED = frozenset(_DROPPED_WORDS.split())
# Environments by what the library must be told instead: aligned columns, with a count of them, one column, none.
_ALIGNED = {"aligned", "align", "align*", "eqnarray", "eqnarray*", "flalign", "flalign*", "split"}
_COUNTED = {"alignedat", "alignat", "alignat*"}
_GATHERED = {"gather", "gather*", "gathered", "multline", "multline*"}
_BARE = {"equation", "equation*", "displaymath", "math", "center"}
_TEXTS_WORDS = r"\text \textrm \textnormal \mbox \hbox \textup \textmd"
_TEXTS = frozenset(_TEXTS_WORDS.split())
_SAME = {
    r"\implies": r"\Longrightarrow ",
    r"\textsterling": "£",
    r"\pounds": "£",
    r"\euro": "€",
    r"\texteuro": "€",
    r"\degree": r"^\circ ",
    r"\textdegree": "°",
    r"\arg": r"\operatorname{arg}",
    r"\dotsb": r"\cdots ",
    r"\dotsm": r"\cdots ",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\textdollar": r"\$",
    r"\textpercent": r"\%",
    r"\R": r"\mathbb{R}",
    r"\Z": r"\mathbb{Z}",
    r"\N": r"\mathbb{N}",
    r"\Q": r"\mathbb{Q}",
    r"\C": r"\mathbb{C}",
    r"\bigm": r"\big",
    r"\n": " ",
}


class NotMathsError(ValueError):
    """This formula is shown as it was written."""


def rewrite(*, source: str) -> str:
    r"""Rewrite one formula for latex2mathml. Raises NotMathsError when it must be shown as written.

    >>> rewrite(source=r"\begin{aligned}a&=b\end{aligned}")
    '\\begin{split}a&=b\\end{split}'
    >>> rewrite(source="50% of 1,000")
    '50\\% of \\text{1,000}'
    """
    if len(source) > LONGEST:
        raise NotMathsError(f"longer than {LONGEST} characters")
    tokens = _TOKEN.findall(source)
    _check_braces(tokens)
    return _split_lines("".join(_Rewriter(tokens).run()))


def _check_braces(tokens: list[str]) -> None:
    depth = 0
    for token in tokens:
        depth += (token == "{") - (token == "}")  # noqa: S105
        if depth < 0:
            raise NotMathsError("a brace is closed that was not opened")
        if depth > DEEPEST:
            raise NotMathsError(f"nested deeper than {DEEPEST}")
    if depth:
        raise NotMathsError("a brace is not closed")


def _split_lines(latex: str) -> str:
    """A line break outside every environment: the library drops it, a one-column table keeps it."""
    if r"\\" not in latex or r"\begin" in latex:
        return latex
    name = "split" if re.search(r"(?<!\\)&", latex) else "matrix"
    return rf"\begin{{{name}}}{latex}\end{{{name}}}"


class _Rewriter:
    """Reads the tokens of one formula once; `at` is the next token, and a rule that takes an argument moves it on."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.rules: dict[str, Callable[[], str]] = {
            r"\begin": self._environment,
            r"\end": self._environment,
            r"\tag": self._tag,
            r"\tag*": self._tag,
            r"\label": self._skip_argument,
            r"\SI": self._quantity,
            r"\qty": self._quantity,
            r"\si": self._unit,
            r"\unit": self._unit,
            r"\num": self._number,
            r"\ce": self._chemistry,
            r"\color": self._skip_argument,
            r"\textcolor": self._skip_argument,
            r"\colorbox": self._skip_argument,
        }

    def run(self) -> list[str]:
        """The rewritten pieces."""
        done = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            done.append(self._one(token))
        return done

    def _one(self, piece: str) -> str:
        """One token rewritten. Raises NotMathsError for what must not be read."""
        if not piece.startswith("\\"):
            return piece if piece in "{}" else _plain(piece)
        if piece.rstrip("*") in _REFUSED:
            raise NotMathsError(f"{piece} is not allowed")
        if piece in _TEXTS:
            return self._text()
        if piece in self.rules:
            return self.rules[piece]()
        if piece in _DROPPED:
            return " "
        if piece == "\\":
            raise NotMathsError("it ends in a backslash")
        # "\sin*2" was read as one command with a star: the star is a product.
        if piece.endswith("*") and not piece.startswith(r"\operatorname"):
            piece = piece[:-1] + " *" if piece[:-1] not in _SAME else piece[:-1]
        return _SAME.get(piece, piece)

    def _argument(self) -> str | None:
        """The text of a braced argument, or None when there is none."""
        start = self.at
        while start < len(self.tokens) and self.tokens[start].isspace():
            start += 1
        if start >= len(self.tokens) or self.tokens[start] != "{":
            return None
        depth, end = 1, start + 1
        # The braces are balanced (_check_braces), so the end is always found.
        while depth:
            depth += (self.tokens[end] == "{") - (self.tokens[end] == "}")
            end += 1
        self.at = end
        return "".join(self.tokens[start + 1 : end - 1])

    def _environment(self) -> str:
        r"""`\begin` or `\end` with the name of an environment that latex2mathml prints rightly."""
        verb = self.tokens[self.at - 1]
        name = (self._argument() or "").strip()
        if name in _BARE:
            return " "
        if name in _COUNTED:
            if verb == r"\begin":
                self._argument()
            name = "split"
        if name in _ALIGNED:
            name = "split"
        return f"{verb}{{{'matrix' if name in _GATHERED else name}}}"

    def _text(self) -> str:
        words = self._argument()
        return r"\text " if words is None else _words(words)

    def _tag(self) -> str:
        r"""`\tag{1}` as "(1)" in text behind the formula: the library knows no tags."""
        return rf"\qquad\text{{({_plain_words(self._argument() or '')})}}"

    def _skip_argument(self) -> str:
        self._argument()
        return " "

    def _number(self) -> str:
        return rf"\text{{{_plain_words(self._argument() or '')}}}"

    def _unit(self) -> str:
        unit = (self._argument() or "").replace("\\", " ").replace("~", " ")
        return rf"\text{{{_plain_words(' '.join(unit.split()))}}}"

    def _quantity(self) -> str:
        return self._number() + r"\," + self._unit()

    def _chemistry(self) -> str:
        return _formula_of_substance(self._argument() or "")


def _plain(text: str) -> str:
    """Prose-like habits inside formulas: a raw percent sign (a comment to LaTeX) and thousands separators."""
    text = _THOUSANDS.sub(lambda match: rf"\text{{{match[0].replace('{', '').replace('}', '')}}}", text)
    return text.replace("%", r"\%").replace("#", r"\#")


def _plain_words(text: str) -> str:
    """Text mode without braces and escapes, as the library prints it verbatim."""
    return re.sub(r"\\([%$&#_{}])", r"\1", text).replace("{", "").replace("}", "").replace("~", "\u00a0")


def _words(text: str) -> str:
    r"""`\text{...}`; formulas between dollar signs inside it stay formulas."""
    # Odd pieces are the formulas between dollar signs; an odd number of signs means none of them is one.
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0:
        parts = [text.replace("$", "")]
    pieces = [
        rf"\text{{{_plain_words(piece)}}}" if not index % 2 else "{" + rewrite(source=piece) + "}"
        for index, piece in enumerate(parts)
        if piece
    ]
    return "{" + "".join(pieces) + "}" if len(pieces) != 1 else pieces[0]


def _formula_of_substance(text: str) -> str:
    """The common part of mhchem: elements upright, counts below, charges above, arrows."""
    done, after_atom = [], False
    for piece in _ELEMENT.findall(text.replace("{", "").replace("}", "")):
        done.append(_part_of_substance(piece, after_atom))
        after_atom = piece.isalpha() or piece in ")]"
    return "{" + "".join(done) + "}"


def _part_of_substance(piece: str, after_atom: bool) -> str:
    if piece.startswith("^"):
        return f"^{{{piece[1:]}}}"
    if piece.isdigit():
        return f"_{{{piece}}}" if after_atom else piece
    if piece.isalpha():
        return rf"\mathrm{{{piece}}}"
    return {"->": r"\rightarrow ", "<=>": r"\rightleftharpoons ", "\\": " "}.get(piece) or _plain(piece)
