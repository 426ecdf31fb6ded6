"""The maths font as two small WOFF2 files, made from the installed ziamath package: the repository carries no font.

STIX Two Math (SIL Open Font License) has 4,604 characters; a page needs a few dozen of them. The first file has what
ordinary formulas use, the second all else; `unicode-range` in static/css/base.css lets a browser take the second only
for a page that needs it.
"""

import fcntl
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

COMMON, MORE = "fonts/maths.woff2", "fonts/maths-more.woff2"
# Latin, Greek, primes, indices, letter-like signs, arrows, operators, brackets and the italic alphabets, which MathML
# gives to every variable.
RANGES = (
    "20-7E,A0-FF,300-338,391-3C9,3D1-3D6,3F0-3F5,2010-2027,202F-2037,2057,2061-2064,2070-209C,20D0-20E1,2100-214F,"
    "2190-22FF,2308-230B,23B4-23B7,23DC-23E1,25A0-25CF,27E6-27EF,27F5-27FF,2A0C,2A2F,2A7D-2A7E,1D434-1D467,"
    "1D6A4-1D6A5,1D6E2-1D71B"
)
PRIVATE_USE = range(0xE000, 0xF900)  # the font's own variants, which no text can ask for
# Script-size variants, kerning and accents; the stylistic sets of the font are of no use to MathML.
FEATURES = ("ssty", "dtls", "flac", "rtlm", "kern", "ccmp", "mark", "mkmk")


def read_ranges(text: str) -> set[int]:
    """The code points of a CSS unicode-range, without its `U+`.

    >>> sorted(read_ranges("41-43,2A2F"))
    [65, 66, 67, 10799]
    """
    pairs = (span.partition("-")[::2] for span in text.split(","))
    return {point for first, last in pairs for point in range(int(first, 16), int(last or first, 16) + 1)}


def ensure_fonts() -> Path:
    """The folder that holds the two files; makes them once for each version of the font and of this recipe."""
    packages = (f"{name} {version(name)}" for name in ("ziamath", "fonttools"))
    recipe = hashlib.sha256("\n".join((*packages, RANGES, *FEATURES)).encode()).hexdigest()[:16]
    # Beside the package that they are made from; where that may not be written, in the run directory.
    share = Path(sys.prefix) / "share"
    base = share if os.access(share if share.exists() else sys.prefix, os.W_OK) else settings.RUN_DIR
    folder = base / "trust-fonts" / recipe
    if not _is_made(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # Whoever comes while another makes them waits, which takes less than to make them as well.
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _is_made(folder):
                _make(folder)
    return folder


def _is_made(folder: Path) -> bool:
    return all((folder / name).exists() for name in (COMMON, MORE))


def _make(folder: Path) -> None:
    # Costs 0.3 s and memory: no web server loads it that has its files.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    spec = find_spec("ziamath")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("ziamath, which carries the maths font, is not installed")
    source = Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    common = read_ranges(RANGES)
    with TTFont(source) as whole:
        more = set(whole.getBestCmap()) - common - set(PRIVATE_USE)
    for name, points in ((COMMON, common), (MORE, more)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # A whole file is renamed, so that nobody who does not wait reads half of one.
        with tempfile.NamedTemporaryFile(dir=folder / "fonts", suffix=".part", delete=False) as file:
            file.write(_subset(source, points))
        os.chmod(file.name, 0o644)
        os.replace(file.name, folder / name)


def _subset(source: Path, points: set[int]) -> bytes:
    from io import BytesIO

    from fontTools import subset  # type: ignore[import-untyped]

    options = subset.Options(flavor="woff2", layout_features=list(FEATURES), hinting=False, notdef_outline=True)
    # Names 0, 13 and 14 are the copyright and the licence, which the OFL wants to stay with the font.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    data = BytesIO()
    with subset.load_font(str(source), options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=points)
        subsetter.subset(font)
        subset.save_font(font, data, options)
    return data.getvalue()


class MathFontFinder(BaseFinder):
    """Finds the two files, without which brackets and roots do not stretch."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        """Nothing is made before somebody asks."""

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing to check."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Path of the font when asked for it."""
        font = str(ensure_fonts() / path) if path in (COMMON, MORE) else None
        if find_all:  # Django's contract for finders: a list when all are wanted, else one path or None
            return [font] if font else []
        return font

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """The two files, for collectstatic."""
        folder = FileSystemStorage(location=ensure_fonts())
        yield from ((name, folder) for name in (COMMON, MORE))


if __name__ == "__main__":
    ensure_fonts()
