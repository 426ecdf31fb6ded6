"""The cluster of the last run with the same migrations, kept below `.run`: the next run need not migrate.

A run of one test file would otherwise spend most of its time on migrations: 13 s of CPU.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_STORE = ROOT / ".run" / "tests"
_LOWLY = "nobody"  # who runs PostgreSQL where the tests are root
_MOST_BYTES = 200 * 2**20  # a cluster in which a killed run left its databases is not kept
_BESIDE_MIGRATIONS = (  # what else the migrated database is made from
    "tests/tools/database.py",
    "accounts/models/tables.py",
    "auditing/core/stages.py",
    "accounts/people.py",
    ".ci/requirements.lock",
)


def digest() -> str:
    """Of all that the migrated database is made from: another digest, another database."""
    migrations = (*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/*/migrations/*.py"))
    total = hashlib.sha256()
    for path in sorted((*migrations, *(ROOT / name for name in _BESIDE_MIGRATIONS))):
        total.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


def restore(*, run_dir: Path) -> bool:
    """Put the kept cluster where the server will look for its data; False where none is kept."""
    cluster = _STORE / digest()
    if not cluster.is_dir():
        return False
    home = run_dir / "postgres"
    home.mkdir(mode=0o700)
    shutil.copytree(cluster, home / "data", symlinks=True)
    # A copy belongs to whoever made it, and PostgreSQL refuses both root and a directory of somebody else.
    if os.geteuid() == 0:
        for path in (home, home / "data", *(home / "data").rglob("*")):
            shutil.chown(path, _LOWLY)
    return True


def keep(*, run_dir: Path) -> None:
    """Keep the cluster of a stopped server, in place of those of other migrations."""
    data, place = run_dir / "postgres" / "data", _STORE / digest()
    if place.exists() or not data.is_dir():
        return
    if sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) > _MOST_BYTES:
        return
    _STORE.mkdir(parents=True, exist_ok=True)
    older = [path for path in _STORE.iterdir() if path != place]
    fresh = Path(tempfile.mkdtemp(dir=_STORE))
    shutil.copytree(data, fresh, symlinks=True, dirs_exist_ok=True)
    fresh.chmod(0o700)
    try:
        fresh.rename(place)
    except OSError:  # another run was first
        older.append(fresh)
    for path in older:
        shutil.rmtree(path, ignore_errors=True)
