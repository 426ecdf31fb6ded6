"""Scripts, styles and fonts as a browser gets them: named by digest and compressed, prepared while the database is."""

import hashlib
from pathlib import Path

from trustweb.serve.processes import Child

COMMAND = ("collectstatic", "--noinput")
_CODE = Path(__file__).resolve().parents[2]
# A change of any of these makes other files: ours, those of a package, the font's recipe, how they are named.
SOURCES = ("static", "requirements.txt", "trustweb/fonts.py", "trustweb/static_files.py")


class Assets:
    """The collected files of one run directory, and the child that makes them when they are not current."""

    def __init__(self, root: Path) -> None:
        self.stamp = root / "current"
        self.child: Child | None = None

    @property
    def are_current(self) -> bool:
        """Whether what was collected before is what would be collected now."""
        return self.stamp.exists() and self.stamp.read_text(encoding="ascii") == digest_of_sources()

    def note_current(self) -> None:
        """Write down what they were made from, after the child has ended well."""
        self.stamp.write_text(digest_of_sources(), encoding="ascii")


def digest_of_sources() -> str:
    """SHA-256 over names and bytes of everything that the collected files are made from."""
    digest = hashlib.sha256()
    for name in SOURCES:
        source = _CODE / name
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                digest.update(f"{path.relative_to(_CODE)} {len(data)}\n".encode() + data)
    return digest.hexdigest()
