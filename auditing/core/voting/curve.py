"""The group of the curve P-256 (FIPS 186-5, SEC 2): adding points and multiplying them, for proofs about seals.

A point is (x, y); None is the point at infinity. Not made for secrets that an attacker may time.
"""

from typing import TypeAlias

Point: TypeAlias = tuple[int, int]

FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE: Point = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def from_bytes(*, data: bytes) -> Point:
    """The point of 65 bytes 0x04 || x || y, which the caller knows to lie on the curve."""
    return int.from_bytes(data[1:33]), int.from_bytes(data[33:])


def to_bytes(*, point: Point) -> bytes:
    """0x04 || x || y."""
    return b"\4" + point[0].to_bytes(32) + point[1].to_bytes(32)


def with_x(*, x: int) -> tuple[Point, Point]:
    """The two points with this x: y^2 = x^3 - 3x + b. Raises ValueError when there are none."""
    square = (x**3 - 3 * x + _B) % FIELD
    y = pow(square, (FIELD + 1) // 4, FIELD)  # the field's order is 3 modulo 4
    if y * y % FIELD != square:
        raise ValueError("no point of the curve has this x")
    return (x, y), (x, FIELD - y)


def add(*, left: Point | None, right: Point | None) -> Point | None:
    """The sum of two points.

    >>> add(left=BASE, right=(BASE[0], FIELD - BASE[1])) is None
    True
    """
    if left is None or right is None:
        return right if left is None else left
    if left[0] == right[0]:
        if (left[1] + right[1]) % FIELD == 0:
            return None
        slope = 3 * (left[0] ** 2 - 1) * pow(2 * left[1], -1, FIELD)
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, FIELD)
    x = (slope**2 - left[0] - right[0]) % FIELD
    return x, (slope * (left[0] - x) - left[1]) % FIELD


def times(*, number: int, point: Point = BASE) -> Point:
    """`number` times the point, for 0 < number < ORDER: double and add, from the highest bit.

    >>> times(number=2) == add(left=BASE, right=BASE)
    True
    """
    total: Point | None = None
    for bit in f"{number:b}":
        total = add(left=total, right=total)
        if bit == "1":
            total = add(left=total, right=point)
    if total is None:
        raise ValueError("a multiple of the order is no point")
    return total
