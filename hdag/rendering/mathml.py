"""The tree that latex2mathml made becomes MathML Core that browsers draw rightly and that can do no harm.

Only listed tags and checked attribute values pass; nothing that links, styles or runs exists in the lists.
"""

import html
import re
import unicodedata
from xml.etree.ElementTree import Element, SubElement

from hdag.rendering.latex import NotMathsError

_TAGS_WORDS = (
    "math mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd"
    " mstyle menclose mmultiscripts mprescripts none"
)
_TAGS = frozenset(_TAGS_WORDS.split())
_AS_ROW = {"mpadded": "mrow", "mphantom": "mrow"}
_BOOL = re.compile(r"true|false")
_LENGTH = re.compile(r"(-?\d{0,3}(?:\.\d{1,4})?)(em|ex|px|pt|mu)?")
_ATTRIBUTES: dict[str, re.Pattern[str]] = {
    "display": re.compile(r"block|inline"),
    "displaystyle": _BOOL,
    "scriptlevel": re.compile(r"[+-]?[0-3]"),
    "stretchy": _BOOL,
    "fence": _BOOL,
    "accent": _BOOL,
    "accentunder": _BOOL,
    "movablelimits": _BOOL,
    "largeop": _BOOL,
    "form": re.compile(r"prefix|infix|postfix"),
    "columnalign": re.compile(r"left|right|center"),
    "notation": re.compile(r"box|updiagonalstrike|downdiagonalstrike|horizontalstrike"),
}
# Widths and sizes with the greatest that is let through, in em: a formula cannot cover the page.
_LENGTHS = {"width": 6.0, "minsize": 4.0, "maxsize": 4.0, "linethickness": 0.3}
_SPACES = {
    "negativethinmathspace": "-0.1667em",
    "thinmathspace": "0.1667em",
    "mediummathspace": "0.2222em",
    "thickmathspace": "0.2778em",
}
_NUMBER = re.compile(r"[\d.,]*\d")
_SLASH = "\u29f8"
_BARS = ("|", "\u2016", "\u2225")
_FONTS = {
    "bold": ("MATHEMATICAL BOLD", True),
    "italic": ("MATHEMATICAL ITALIC", False),
    "bold-italic": ("MATHEMATICAL BOLD ITALIC", False),
    "double-struck": ("MATHEMATICAL DOUBLE-STRUCK", True),
    "script": ("MATHEMATICAL SCRIPT", False),
    "fraktur": ("MATHEMATICAL FRAKTUR", False),
    "sans-serif": ("MATHEMATICAL SANS-SERIF", True),
    "monospace": ("MATHEMATICAL MONOSPACE", True),
}


def clean(*, tree: Element) -> Element:
    """A new tree with nothing but allowed MathML. Raises NotMathsError for what the library did not understand."""
    root = _copy(tree, None)
    _mend_rows(root)
    return root


def _copy(node: Element, parent: Element | None) -> Element:
    """The allowed copy of `node` under `parent`, children included. Raises NotMathsError for an unknown tag."""
    tag = _AS_ROW.get(node.tag, node.tag)
    if tag not in _TAGS:
        raise NotMathsError(f"<{node.tag}> is not allowed")
    attributes = {name: value for name, raw in node.attrib.items() if (value := _checked(name, raw)) is not None}
    new = Element(tag, attributes) if parent is None else SubElement(parent, tag, attributes)
    new.text = _text(node)
    if tag == "mtext" and _NUMBER.fullmatch(new.text or ""):
        new.tag = "mn"
    _choose_font(new, node.get("mathvariant", ""))
    # Recursion is as deep as the formula; rewrite has refused braces nested beyond DEEPEST.
    for child in node:
        _copy(child, new)
    if tag == "mtable":
        _rule(new, node)
    if tag == "menclose" and "strike" in new.get("notation", ""):
        new.set("class", "struck")
    if node.tag == "mphantom":
        new.set("class", "was-hidden")
    return new


def _text(node: Element) -> str | None:
    text = node.text
    if text is None:
        return None
    if "&#" in text:
        # The library writes operators as character references; they are unescaped here and escaped once at the end.
        text = html.unescape(text)
    # An unknown command comes back as an identifier that begins with a backslash.
    if node.tag == "mi" and text.startswith("\\") and len(text) > 1:
        raise NotMathsError(f"{text[:40]} is not known")
    return "".join(ch for ch in text if ch.isprintable() or ch == "\u00a0")


def _checked(name: str, value: str) -> str | None:
    if name in _LENGTHS:
        return _length(_SPACES.get(value, value), _LENGTHS[name])
    pattern = _ATTRIBUTES.get(name)
    return value if pattern is not None and pattern.fullmatch(value) else None


def _length(value: str, most: float) -> str | None:
    match = _LENGTH.fullmatch(value.strip())
    if not match or not match[1] or match[1] in ("-", "."):
        return None
    number, unit = float(match[1]), match[2] or "em"
    # to em: 16 px, 12 pt, 18 mu or 2 ex make one
    number /= {"px": 16.0, "pt": 12.0, "mu": 18.0, "ex": 2.0}.get(unit, 1.0)
    return f"{max(-1.0, min(number, most)):.4g}em"


def _choose_font(node: Element, variant: str) -> None:
    """MathML Core knows only mathvariant=normal; other alphabets are characters of their own in Unicode."""
    if variant == "normal" and node.tag == "mi":
        node.set("mathvariant", "normal")
    elif variant in _FONTS and node.text:
        node.text = "".join(_letter(ch, *_FONTS[variant]) for ch in node.text)


def _letter(ch: str, alphabet: str, has_digits: bool) -> str:
    if not ch.isascii() or not ch.isalnum() or (ch.isdigit() and not has_digits):
        return ch
    sort = "DIGIT" if ch.isdigit() else "CAPITAL" if ch.isupper() else "SMALL"
    name = unicodedata.name(ch).split()[-1]
    try:
        return unicodedata.lookup(f"{alphabet} {sort} {name}")
    except KeyError:  # ten or so letters stand among the letterlike symbols, such as the real numbers' R
        return _LETTERLIKE.get((alphabet.split()[-1], ch), ch)


_LETTERLIKE = {
    **{("DOUBLE-STRUCK", ch): new for ch, new in zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)},
    **{("SCRIPT", ch): new for ch, new in zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)},
    **{("FRAKTUR", ch): new for ch, new in zip("CHIRZ", "ℭℌℑℜℨ", strict=True)},
    ("ITALIC", "h"): "ℎ",
}


def _rule(table: Element, old: Element) -> None:
    """Lines between columns and rows, which MathML Core draws only through CSS."""
    columns, rows = old.get("columnlines", "").split(), old.get("rowlines", "").split()
    for line, row in enumerate(table):
        below = line < len(rows) and rows[line] in ("solid", "dashed")
        for at, cell in enumerate(row):
            right = at < len(columns) and columns[at] == "solid"
            classes = ["rule-end"] * right + ["rule-below"] * below
            if classes:
                cell.set("class", " ".join(classes))


def _mend_rows(node: Element) -> None:
    """Join a struck-out relation with its slash, and let bars beside a table stretch."""
    children = list(node)
    for index, child in enumerate(children):
        following = children[index + 1] if index + 1 < len(children) else None
        # \not before a relation: U+0338 strikes it out, and NFC makes "=" and it the one character "≠".
        if _is_slash(child) and following is not None and following.text and not len(following):
            following.text = unicodedata.normalize("NFC", following.text + "\u0338")
            node.remove(child)
            continue
        if child.tag == "mo" and child.text in _BARS and _beside_table(children, index):
            child.set("stretchy", "true")
        _mend_rows(child)


def _is_slash(node: Element) -> bool:
    return node.tag == "mrow" and len(node) == 1 and node[0].text == _SLASH


def _beside_table(children: list[Element], index: int) -> bool:
    around = children[max(0, index - 1) : index + 2]
    return any(node.tag == "mtable" for node in around)
