"""GET /ipfs/<cid>: ciphertext by address for anybody, and nothing else (threat 53)."""

from typing import Any

import pytest
from django.test import Client

from hdag.core import cid
from hdag.models import Block
from hdag.store import content

pytestmark = pytest.mark.django_db
TEXT = "so x = 2 follows from the premise"
LONG = TEXT * 20_000
GOOD = cid.of(data=b"x")
RAW, CAR = "application/vnd.ipld.raw", "application/vnd.ipld.car"


def get(name: str, query: str = "?format=raw", **headers: str) -> Any:
    return Client().get(f"/ipfs/{name}{query}", headers=headers)


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def blocks_in(car: bytes) -> list[tuple[str, bytes]]:
    """The blocks of a CAR v1 file, read by hand; CIDs as text."""

    def varint(at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            value |= (car[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if car[at - 1] < 0x80:
                return value, at

    size, at = varint(0)
    at += size
    found = []
    while at < len(car):
        size, at = varint(at)
        data = car[at + 36 : at + size]
        assert car[at : at + 4] == bytes((1, 0x55, 0x12, 0x20))
        found.append((cid.of(data=data), data))
        assert cid.parse(text=found[-1][0]) == car[at + 4 : at + 36]
        at += size
    return found


def test_a_stranger_gets_the_ciphertext_and_checks_it_against_its_address() -> None:
    block = content.store_one(TEXT)
    answer = get(block.pk)
    assert answer.status_code == 200
    assert cid.of(data=answer.content) == block.pk
    assert b"follows" not in answer.content
    headers = {name: answer.headers[name] for name in ("Content-Type", "X-Content-Type-Options", "Cache-Control")}
    assert headers == {
        "Content-Type": RAW,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "public, max-age=29030400, immutable",
    }
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{block.pk}.bin"'


@pytest.mark.parametrize(("accept", "kind"), [(RAW, RAW), (f"{CAR};version=1", CAR), (f"text/html, {CAR}", CAR)])
def test_the_accept_header_asks_as_well(accept: str, kind: str) -> None:
    answer = get(content.store_one(TEXT).pk, "", Accept=accept)
    assert answer.headers["Content-Type"].startswith(kind)


def test_a_car_holds_the_root_and_every_part_and_another_reader_reads_it() -> None:
    block = content.store_one(LONG)
    found = blocks_in(body_of(get(block.pk, "?format=car")))
    assert [name for name, _ in found] == [block.pk, *cid.parts_of(manifest=found[0][1])[1]]
    assert cid.join(manifest=found[0][1], read=dict(found).__getitem__) == content.sealed_bytes(block)
    assert len(found) == 4
    assert [name for name, _ in blocks_in(body_of(get(block.pk, "?format=car&dag-scope=block")))] == [block.pk]


def test_every_part_is_a_block_of_its_own() -> None:
    for part in content.store_one(LONG).parts.all():
        assert cid.of(data=get(part.pk).content) == part.pk


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("x", 400),
        (GOOD.upper(), 400),
        ("QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", 400),
        ("bafkrmia" + "a" * 51, 400),
        ("bafybei" + "a" * 52, 400),
        (f"{GOOD}/", 400),
        (f"{GOOD}/index.html", 400),
        ("../settings", 400),
        (GOOD, 404),
    ],
)
def test_what_is_no_address_of_ours_is_refused(name: str, status: int) -> None:
    assert get(name).status_code == status


@pytest.mark.parametrize("query", ["", "?format=html", "?format=", "?format=json", "?format=dag-json"])
def test_nothing_is_ever_rendered(query: str) -> None:
    answer = get(content.store_one(TEXT).pk, query, Accept="text/html")
    assert answer.status_code == 406
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_an_erased_text_is_gone_from_the_gateway_with_its_parts() -> None:
    block = content.store_one(LONG)
    content.erase([block])
    assert {get(name).status_code for name in (block.pk, *block.parts.values_list("pk", flat=True))} == {410}


def test_a_damaged_block_is_never_given_out() -> None:
    block = content.store_one(TEXT)
    Block.objects.filter(pk=block.pk).update(ciphertext=b"other bytes")
    answer = get(block.pk)
    assert answer.status_code == 500
    assert b"other bytes" not in answer.content
    long = content.store_one(LONG)
    Block.objects.filter(part_of=long).update(ciphertext=b"other bytes")
    assert get(long.pk, "?format=car").status_code == 500


def test_a_block_that_is_known_is_not_sent_again() -> None:
    block = content.store_one(TEXT)
    tag = get(block.pk).headers["ETag"]
    assert get(block.pk, **{"If-None-Match": tag}).status_code == 304
    assert Client().head(f"/ipfs/{block.pk}?format=raw").status_code == 200
    assert Client().post(f"/ipfs/{block.pk}?format=raw").status_code == 405
