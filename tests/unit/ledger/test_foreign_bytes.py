"""Readers of foreign bytes: a value or the one error that their docstring names; `make fuzz` asks more.

Half of the examples are rubbish, half are true documents with a few bytes changed, which get past the first checks.
"""

import json
import os
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.checker.mathematics.latex import closing_brace, math_dollars
from auditing.checker.mathematics.tokens import tokenize
from auditing.core.errors import CoreError
from auditing.core.ledger.leaves.coding import decode, encode
from auditing.core.voting import rationale
from auditing.core.voting.commitment import OpeningError, parse_opening, read_opening
from auditing.core.voting.seal import SealError, read_point
from auditing.translog import checkpoint, note, receipt, tiles, witnessing
from hdag.core import canonical, cid
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.readers import read_any
from hdag.rendering.maths import render_formula
from hdag.rendering.text import render_afresh
from tests.unit.ledger.examples import EXAMPLES

EXAMPLES_EACH = 20_000 if os.environ.get("TRUST_FUZZ") == "whole" else 150
KEY = note.signing_key(name="log.example/1", seed=b"s" * 32)
BODY = "log.example/1\n7\n" + "A" * 43 + "=\n"
NOTE = str(note.sign(text=BODY, key=KEY)).encode()
LEAVES = [encode(leaf=leaf) for leaf in EXAMPLES.values()]
RECORD = json.dumps({"id": "1", "problem": "p", "steps": ["2 + 2 = 4"], "answer": "4", "tool_calls": []}).encode()
LATEX = r"Let $\frac{1}{2} + \sqrt{x^{2}} = \left( 3 \cdot 4 \right)$ and \begin{cases} a & b \\ c \end{cases}."


def damaged(*documents: bytes) -> st.SearchStrategy[bytes]:
    """Rubbish, or one of the documents with a few bytes put in the place of others."""
    changes = st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 4), st.binary(max_size=4)), max_size=4)
    return st.one_of(st.binary(max_size=400), st.builds(_with_changes, st.sampled_from(documents), changes))


def _with_changes(document: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, cut, fresh in changes:
        place = at % (len(document) + 1)
        document = document[:place] + fresh + document[place + cut :]
    return document


def lines(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


READERS = {
    "note": (lambda data: note.parse(data=data), note.NoteError, (NOTE,)),
    "vkey": (lambda data: note.parse_vkey(text=lines(data)), note.NoteError, (KEY.verifier.vkey.encode(),)),
    "signature line": (lambda data: note.parse_signature(line=lines(data)), note.NoteError, (NOTE[-120:],)),
    "checkpoint": (
        lambda data: checkpoint.open_checkpoint(data=data, key=KEY.verifier),
        (note.NoteError, checkpoint.CheckpointError),
        (NOTE,),
    ),
    "body of a checkpoint": (
        lambda data: checkpoint.parse_body(text=lines(data)),
        checkpoint.CheckpointError,
        (BODY.encode(),),
    ),
    "proof": (
        lambda data: checkpoint.parse_proof(data=data),
        (checkpoint.CheckpointError, note.NoteError),
        (b"c2sp.org/tlog-proof@v1\nindex 3\n" + b"A" * 43 + b"=\n\n" + NOTE,),
    ),
    "path of a tile": (lambda data: tiles.parse_path(path=lines(data)), tiles.TileError, (b"tile/0/x001/234.p/7",)),
    "bundle of entries": (
        lambda data: tiles.read_bundle(data=data, width=3),
        tiles.TileError,
        (tiles.bundle(entries=[b"a", b"bc", b"def"]),),
    ),
    "receipt": (
        lambda data: receipt.open_receipt(data=data, key=KEY.verifier),
        (receipt.ReceiptError, note.NoteError),
        (NOTE,),
    ),
    "policy of witnesses": (
        lambda data: witnessing.parse_policy(text=lines(data)),
        (witnessing.PolicyFileError, note.NoteError),
        (b"log log.example/1+00000000+AAAA\nwitness w w+00000000+AAAA\ngroup g 1 w\nquorum g\n",),
    ),
    "leaf": (lambda data: decode(entry=data), (CoreError, canonical.NotCanonicalError, ValueError), tuple(LEAVES)),
    "canonical JSON": (lambda data: canonical.decode_canonical(data=data), canonical.NotCanonicalError, tuple(LEAVES)),
    "opening": (lambda data: read_opening(data=data), OpeningError, (bytes(68),)),
    "point of a key": (lambda data: read_point(point=data), SealError, (b"\x04" + bytes(64),)),
    "rationale": (lambda data: rationale.read(text=lines(data)), CoreError, (b'{"reason":"x"}',)),
    "CID": (lambda data: cid.parse(text=lines(data)), cid.CidError, (cid.of(data=b"x").encode(),)),
    "manifest": (lambda data: cid.parts_of(manifest=data), cid.BlockError, (b'{"parts":[],"size":0}',)),
    "record": (lambda data: read_any(read_json(data, where="line 1"), where="line 1"), HdagError, (RECORD,)),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_gives_a_value_or_the_error_that_it_names(name: str) -> None:
    read, errors, documents = READERS[name]

    @settings(max_examples=EXAMPLES_EACH)
    @given(damaged(*documents))
    def check(data: bytes) -> None:
        with suppress(*(errors if isinstance(errors, tuple) else (errors,))):
            read(data)

    check()


@settings(max_examples=EXAMPLES_EACH)
@given(
    st.dictionaries(
        st.sampled_from(["choice", "confidence_bp", "nonce", "rationale_digest", "x"]),
        st.text() | st.integers() | st.none(),
    )
)
def test_an_opening_from_foreign_fields_is_read_or_refused(fields: dict[str, object]) -> None:
    with suppress(OpeningError):
        parse_opening(fields=fields)


@settings(max_examples=EXAMPLES_EACH)
@given(damaged(LATEX.encode()), st.text(max_size=60))
def test_no_formula_and_no_text_makes_a_reader_of_latex_raise(data: bytes, more: str) -> None:
    text = data.decode("utf-8", "replace") + more
    tokenize(text)
    math_dollars(text)
    for place in range(min(len(text), 8)):
        closing_brace(text, place)
    assert "<script" not in render_formula(source=text).html.lower()
    assert "<script" not in render_afresh(text=text).html.lower()
