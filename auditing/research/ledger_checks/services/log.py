"""I4, I12: the ledger's order, its checkpoints, its published files, and what is remembered of it elsewhere.

Reads Leaf, Checkpoint, the published files, the head file; writes nothing.
"""

from collections.abc import Iterator
from functools import lru_cache

from auditing.models import Checkpoint
from auditing.research.ledger_checks.services.survey import ROWS, Survey, head_error
from auditing.selectors.ledger.published import ledger_keys
from auditing.services.ledger.publishing import file_reader
from auditing.translog import checkpoint as checkpoints
from auditing.translog import tiles
from auditing.translog.merkle import HASH_BYTES
from auditing.translog.note import VerifierKey


def unbroken(survey: Survey) -> Iterator[str]:
    """I4. Every root is computed in one pass over the leaves, so that each checkpoint continues the one before."""
    walked, keys = survey.walked, ledger_keys()
    yield from walked.faults
    for size, root, note in Checkpoint.objects.order_by("size").values_list("size", "root", "note").iterator(ROWS):
        if size not in walked.roots:
            yield f"checkpoint {size}: the database holds only {walked.size} leaves in a row"
            break
        if walked.roots[size] != bytes(root):
            yield f"checkpoint {size}: its leaves have another root than the one that was signed"
        if why := head_error(data=note.encode(), keys=keys):
            yield f"checkpoint {size}: its signature does not hold: {why}"
        # The second line of a checkpoint is its size.
        elif f"\n{size}\n" not in note:
            yield f"checkpoint {size}: the signed text is of another size"
    yield from _check_files(survey, keys)


def remembered(survey: Survey) -> Iterator[str]:
    """I12. A head that somebody remembers and the database no longer has: an old copy, or another history."""
    for who, head in survey.heads:
        root = survey.walked.roots.get(head.size)
        if root is None:
            yield f"{who} knows {head.size} leaves, the database has {survey.walked.size}: it is an older copy"
        elif root != head.root:
            yield f"{who} knows another root at {head.size} leaves: the history was changed"


def _check_files(survey: Survey, keys: list[VerifierKey]) -> Iterator[str]:
    """The published checkpoint, and every tile and bundle under it, from the entries up."""
    newest = Checkpoint.objects.order_by("-size").first()
    if newest is None:
        return
    try:
        data = (survey.directory / "checkpoint").read_bytes()
    except OSError:
        yield "the published checkpoint is missing"
        return
    if why := head_error(data=data, keys=keys):
        yield f"the published checkpoint does not verify: {why}"
        return
    # A signed note: the body, an empty line, the signatures.
    head = checkpoints.parse_body(text=data.decode().partition("\n\n")[0] + "\n")
    if head.size > newest.size:
        yield f"the published checkpoint has {head.size} leaves, the newest one of the database {newest.size}"
        return
    yield from _check_tiles(survey, head.size)
    yield from _check_partials(survey, head.size)


def _check_tiles(survey: Survey, size: int) -> Iterator[str]:
    try:
        root = tiles.check_tiles(size=size, read=file_reader(directory=survey.directory))
    except FileNotFoundError as error:
        yield f"a published file is missing: {tile_of(error.filename)}"
    except tiles.TileError as error:
        yield f"a published file is damaged: {error}"
    else:
        if root != survey.walked.roots.get(size):
            yield "the published tiles have another root than the leaves of the database"


def _check_partials(survey: Survey, newest: int) -> Iterator[str]:
    """What an older checkpoint published of a tile is the beginning of that tile; it may go once the tile is full."""
    read = lru_cache(maxsize=64)(file_reader(directory=survey.directory))
    for size in (
        Checkpoint.objects.filter(size__lt=newest).order_by("size").values_list("size", flat=True).iterator(ROWS)
    ):
        # Level None is the bundles of entries.
        for level, count in (*tiles.row_sizes(size=size), (None, size)):
            index, width = divmod(count, tiles.WIDTH)
            if width:
                yield from _check_partial(survey, read, (level, index, width), newest)


def _check_partial(
    survey: Survey, read: tiles.FileReader, tile: tuple[int | None, int, int], newest: int
) -> Iterator[str]:
    level, index, width = tile
    # How wide the tile is by now. A tile of level n covers 256^n leaves a hash, hence the shift by 8 bits a level.
    last = min(tiles.WIDTH, (newest >> 8 * (level or 0)) - index * tiles.WIDTH)
    path = tiles.tile_path(level=level, index=index, width=width)
    try:
        data, whole = read(path), read(tiles.tile_path(level=level, index=index, width=last))
        if not whole.startswith(data) or not _is_of_width(data, level, width):
            yield f"a published file is damaged: {path} is not the beginning of its tile"
    except FileNotFoundError:  # the full tile holds everything that a partial one did
        if last < tiles.WIDTH:
            yield f"a published file is missing: {path}"


def _is_of_width(data: bytes, level: int | None, width: int) -> bool:
    if level is not None:
        return len(data) == width * HASH_BYTES
    try:
        return len(tiles.read_bundle(data=data, width=width)) == width
    except tiles.TileError:
        return False


def tile_of(name: object) -> str:
    """The part of a path that the ledger publishes."""
    text = str(name)
    return text[text.find("tile/") :] if "tile/" in text else text.rpartition("/")[2]
