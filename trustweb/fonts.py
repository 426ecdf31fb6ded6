"""Serving the maths font from the installed ziamath package, so that the repository carries no font."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "fonts/STIXTwoMath-Regular.ttf"


class MathFontFinder(BaseFinder):
    """Finds one file: STIX Two Math (SIL Open Font License), without which brackets and roots do not stretch."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        spec = find_spec("ziamath")
        self.package = Path(spec.origin).parent if spec and spec.origin else None

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing to check."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Path of the font when asked for it."""
        font = str(self.package / NAME) if self.package and path == NAME else None
        if find_all:  # Django's contract for finders: a list when all are wanted, else one path or None
            return [font] if font else []
        return font

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """The one file, for collectstatic."""
        if self.package:
            yield NAME, FileSystemStorage(location=self.package)
