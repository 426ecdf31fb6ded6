"""Canonical JSON and content addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdag.core import canonical, cid

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-canonical.LARGEST_INTEGER, canonical.LARGEST_INTEGER)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(value=JSON)
def test_canonical_json_reads_back(value):
    data = canonical.encode(value=value)
    assert canonical.decode_canonical(data=data) == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [1, 0.5]}, r"\$\.a\[1\]: floats"),
        ({"a": 2**53}, "2\\^53"),
        ({1: 2}, "not a string"),
        ({"a": b"x"}, "bytes"),
        (["\ud800"], "surrogate"),
    ],
)
def test_what_has_no_canonical_form_is_named(value, message):
    with pytest.raises(canonical.NotCanonicalError, match=message):
        canonical.encode(value=value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"vote":0,"vote":1}',
        b"NaN",
        b"1e999",
        b"1.5",
        b"-Infinity",
        b"[" * 100_000,
        b'"\\ud800"',
        b"\xff",
        b"",
        b"9" * 5_000,
        b"\xef\xbb\xbf{}",
        b"[" * 70 + b"]" * 70,
    ],
)
def test_ambiguous_json_is_refused(data):
    with pytest.raises(canonical.NotCanonicalError):
        canonical.decode(data=data)


def test_keys_stand_in_the_order_of_utf16_code_units():
    assert canonical.encode(value={"\U0001f600": 1, "\ufb33": 2}) == '{"\U0001f600":1,"\ufb33":2}'.encode()


@given(data=st.binary(max_size=100))
def test_our_cid_is_that_of_another_implementation(data):
    multiformats = pytest.importorskip("multiformats")
    digest = multiformats.multihash.digest(data, "sha2-256")
    assert cid.of(data=data) == str(multiformats.CID("base32", 1, "raw", digest))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b",
        cid.of(data=b"x").upper(),
        cid.of(data=b"x") + "/a",
        cid.of(data=b"x")[:-1] + "9",
        "Qm" + "a" * 44,
        cid.of(data=b"x")[:-1] + "7",
        "bafybei" + cid.of(data=b"x")[7:],
        cid.of(data=b"x") + "\n",
    ],
)
def test_what_is_not_such_a_cid_is_refused(text):
    with pytest.raises(cid.CidError):
        cid.parse(text=text)


@pytest.mark.parametrize("length", [0, 1, cid.LARGEST_BLOCK, cid.LARGEST_BLOCK + 1, 3 * cid.LARGEST_BLOCK])
def test_long_content_is_split_and_joined_again(length):
    data = bytes(range(256)) * (length // 256) + bytes(length % 256)
    blocks = cid.split(data=data)
    assert all(len(part) <= cid.LARGEST_BLOCK and cid.of(data=part) == name for name, part in blocks)
    if len(blocks) > 1:
        assert cid.join(manifest=blocks[0][1], read=dict(blocks[1:]).__getitem__) == data


def test_a_flipped_bit_in_a_block_is_found():
    blocks = cid.split(data=bytes(2 * cid.LARGEST_BLOCK))
    damaged = {name: bytes([part[0] ^ 1]) + part[1:] for name, part in blocks[1:]}
    with pytest.raises(cid.CorruptBlockError, match=blocks[1][0]):
        cid.join(manifest=blocks[0][1], read=damaged.__getitem__)
    with pytest.raises(cid.ManifestError):
        cid.parts_of(manifest=blocks[0][1].replace(b"manifest", b"manifesx"))


def test_a_car_file_reads_back_block_by_block():
    blocks = cid.split(data=bytes(300_000))
    data = b"".join(cid.car(root=blocks[0][0], blocks=blocks))
    cbor2 = pytest.importorskip("cbor2")
    header, offset = cbor2.loads(data[1 : 1 + data[0]]), 1 + data[0]
    assert header["version"] == 1
    assert header["roots"][0].value[1:] == b"\x01\x55\x12\x20" + cid.parse(text=blocks[0][0])
    for name, part in blocks:
        length, shift = 0, 0
        while True:
            byte = data[offset]
            length, shift, offset = length | (byte & 0x7F) << shift, shift + 7, offset + 1
            if byte < 0x80:
                break
        assert data[offset : offset + length] == b"\x01\x55\x12\x20" + cid.parse(text=name) + part
        offset += length
    assert offset == len(data)


def test_a_corrupt_block_is_never_exported():
    with pytest.raises(cid.CorruptBlockError):
        list(cid.car(root=cid.of(data=b"x"), blocks=[(cid.of(data=b"x"), b"y")]))
