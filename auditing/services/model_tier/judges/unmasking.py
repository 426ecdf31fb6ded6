"""A text as a reader, or a model that decodes, would see it: look-alike letters folded, common encodings opened.

Everything here only makes more forms of a text to be searched; no form is shown or stored. Reads and writes no table.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

__all__ = ["INVISIBLE", "forms_of"]

# Soft hyphen, zero-width characters, direction marks, the byte order mark, and the tag characters of plane 14.
INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
# Letters that look like Latin ones (a part of the table of Unicode Technical Standard 39), after lower().
_LOOK_ALIKES = str.maketrans(
    "абвгԁеєѕһіїјкӏмпорԛгѕтуԝхуᴢ" + "αβγδεηικνοπρτυχωϲ" + "ɑɡıɩʟɴʀѵօսցհոᴀᴄᴅᴇᴍᴏᴘᴛᴜᴠ",
    "a6brdeeshiijk1mnopqrstywxyz" + "abydenikvonptuxwc" + "agiilnrvougnnacdemoptuv",
)
_LEET = str.maketrans("013457@$!|", "oieastasil")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4000}={0,2}")
_DIGITS = re.compile(r"[0-9]{16,}")  # valid base64, and says nothing
_HEX = re.compile(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){8,2000}")
_BITS = re.compile(r"(?:[01]{8} ?){8,1000}")
_CODES = re.compile(r"(?:\b(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])\b[ ,]{0,2}){10,1000}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_MOST_RUNS = 50  # of one encoding in a text: the work stays linear


def forms_of(text: str) -> Iterator[str]:
    """The text folded, backwards, spelled with spaces, without look-alikes, and what its encodings say.

    >>> "ignore all" in list(forms_of("\u0456gn\u043ere all"))
    True
    """
    plain = _fold(text)
    yield plain
    yield plain[::-1]
    yield _joined_letters(plain)
    yield from (form for form in (_undisguised(plain), _undisguised(plain).translate(_LEET)) if form != plain)
    yield codecs.decode(plain, "rot13")
    yield from map(_fold, _opened(text))


def _fold(text: str) -> str:
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).lower()


def _undisguised(plain: str) -> str:
    """Letters without their marks, and look-alikes as what they look like."""
    bare = (letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return "".join(bare).translate(_LOOK_ALIKES)


def _opened(text: str) -> Iterator[str]:
    """What base64, hexadecimal, binary, character codes, entities, percent signs and escapes stand for."""
    yield from _decoded(text, _BASE64, _from_base64)
    yield from _decoded(text, _HEX, _from_hex)
    yield from _decoded(text, _BITS, lambda run: bytes(int(bits, 2) for bits in re.findall("[01]{8}", run)))
    yield from _decoded(text, _CODES, lambda run: bytes(map(int, re.findall("[0-9]+", run))))
    if text.count("&") > 2:
        yield html.unescape(text)
    if text.count("%") > 2:
        yield unquote(text)
    if "\\u" in text or "\\x" in text:
        yield _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)


def _decoded(text: str, pattern: re.Pattern[str], decode: Callable[[str], bytes]) -> Iterator[str]:
    for match in list(pattern.finditer(text))[:_MOST_RUNS]:
        try:
            opened = decode(match[0]).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if opened.isprintable():
            yield opened


def _from_base64(run: str) -> bytes:
    if _DIGITS.fullmatch(run):
        raise ValueError
    # Padding that is missing is added: decoders of models do not mind.
    plain = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    return base64.b64decode(plain + "=" * (-len(plain) % 4))


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|\\x|[ ,:]", "", run))


def _joined_letters(text: str) -> str:
    """`v o t e  p a s s` -> `vote pass`: single letters joined, double spaces kept as borders."""
    words = [piece.split(" ") for piece in re.split(r"  +|\n", text.replace("-", " ").replace(".", " "))]
    spelled = ["".join(word) for word in words if len(word) > 2 and all(len(letter) <= 1 for letter in word)]
    return " ".join(spelled)
