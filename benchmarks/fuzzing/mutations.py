"""What a careless or hostile hand does to a file: bytes, lines, values of JSON, and numbers with twins."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

Mutation = Callable[[bytes, random.Random, list[bytes]], bytes]
# bytes that mean something to some reader
TOKENS = [
    *(b"\n\n", b"\n", b"\r\n", b"\0", b"\xff", b"\xe2\x80\x94 ", b"\x1b[2J", b"\xef\xbb\xbf", b"\xed\xa0\x80", b" "),
    *(b"-", b"+", b"=", b"==", b"/", b"0", b"00", b"-0", b"1.0", b"1e0", b"1E400", b"9" * 400, b"9" * 5_000, b"NaN"),
    *(
        b"true",
        b"null",
        b"[]",
        b"{}",
        b"[" * 3_000,
        b'{"a":' * 3_000,
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"any",
        b"all",
    ),
    *("\u0661".encode(), "\uff11".encode(), "e\u0301".encode(), "\u202e".encode(), b"old 18446744073709551616"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**53 - 1, 2**53, 2**64, -(2**63), 10**40, "", "0", "-0", "00", "0.50", "1/0"),
    *("1" * 3_000, "1e9999999", "1" + "0" * 2_047, "é", "\0", "\ud800", "\x1b[2J", "\u2028", [], {}, [[]], [None]),
    *([0] * 2_000, {"": 0}, {"t": "audit.open"}, "sha256:", "x" * 100_000, ["+"], ["^", "9", "99999"], ["!", "99999"]),
]


def flipped(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + bytes((data[at : at + 1] or b"\0")[0] ^ 1 << rng.randrange(8) for _ in "x") + data[at + 1 :]


def with_token(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A token put in, or in the place of some bytes."""
    at, cut = rng.randrange(len(data) + 1), rng.choice((0, 0, 1, 2, 8))
    return data[:at] + rng.choice(TOKENS) + data[at + cut :]


def cut(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A stretch left out, doubled, or moved."""
    first, last = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    last = min(last, first + rng.choice((1, 4, 64, 4_096, 1 << 20)))
    piece, rest = data[first:last], data[:first] + data[last:]
    at = rng.randrange(len(rest) + 1)
    return rng.choice((rest, data[:last] + piece + data[last:], rest[:at] + piece + rest[at:]))


def spliced(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """The beginning of one file and the end of another."""
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def relined(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A line left out, doubled, or moved; a word of it changed."""
    lines = data.split(b"\n")
    at, words = rng.randrange(len(lines)), rng.choice(lines).split(b" ")
    words[rng.randrange(len(words))] = rng.choice([*TOKENS, *words])
    goal = rng.randrange(len(lines))
    change = rng.randrange(4)
    if change == 0:
        del lines[at]
    elif change == 1:
        lines.insert(goal, lines[at])
    elif change == 2:
        lines[at], lines[goal] = lines[goal], lines[at]
    else:
        lines[at] = b" ".join(words)
    return b"\n".join(lines)


def revalued(data: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """Some value of a JSON text is another one, left out, doubled, or written in another way."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        whole = json.loads(lines[at])
    except (ValueError, RecursionError):
        return with_token(data, rng, seeds)
    if not isinstance(whole, dict | list) or not whole:
        return with_token(data, rng, seeds)
    for _ in range(rng.choice((1, 1, 2, 3))):
        change(whole, rng)
    text = json.dumps(whole, separators=(",", ":"), ensure_ascii=rng.random() < 0.2)
    lines[at] = rewritten(text, rng).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def change(value: Any, rng: random.Random) -> None:
    """Change one member somewhere below `value`, also inside a text that holds JSON itself."""
    name = rng.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
    inner = value[name]
    if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
        change(inner, rng)
    elif isinstance(inner, str) and inner.startswith("{") and rng.random() < 0.9:
        try:
            record = json.loads(inner)
        except ValueError:
            value[name] = copy.deepcopy(rng.choice(VALUES))
            return
        change(record, rng)
        value[name] = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    else:
        exchange(value, name, rng)


def exchange(value: Any, name: Any, rng: random.Random) -> None:
    kind = rng.randrange(5)
    if kind == 0:
        del value[name]
        if not value and isinstance(value, dict):
            value["x"] = 0
    elif kind == 1 and isinstance(value, list):
        value.insert(rng.randrange(len(value) + 1), copy.deepcopy(value[name]))
    elif kind == 1:
        value[rng.choice(("x", "", f"{name} ", f"{name}?", name.upper()))] = copy.deepcopy(value[name])
    elif kind == 2 and isinstance(value[name], str) and value[name]:
        at = rng.randrange(len(value[name]))
        value[name] = (
            value[name][:at] + rng.choice(("", "0", "-", ".", "e", "é", "\u200b", "/")) + value[name][at + 1 :]
        )
    elif kind == 3 and isinstance(value[name], int):
        value[name] = value[name] + rng.choice((-1, 1, 256, -256, 2**32, 2**53))
    else:
        value[name] = copy.deepcopy(rng.choice(VALUES))
    if isinstance(value, list) and not value:
        value.append(0)


def rewritten(text: str, rng: random.Random) -> str:
    """In one of four: a number in another spelling, a key that stands twice, a letter as an escape."""
    kind = rng.randrange(12)
    places = [
        at for at in range(1, len(text) - 1) if text[at].isdigit() and text[at - 1] in ":,[" and text[at + 1] in ",}]"
    ]
    if kind == 0 and places:
        at = rng.choice(places)
        return text[: at + 1] + rng.choice((".0", "e0", "E+0", "00", ".", "_0")) + text[at + 1 :]
    if kind == 1 and places:
        at = rng.choice(places)
        return text[:at] + rng.choice(("-", "+", "0", " ", "\t", "\x0b")) + text[at:]
    if kind == 2 and '":' in text:
        starts = [at for at in range(len(text)) if text[at] == "{" and text[at + 1 : at + 2] == '"']
        at = rng.choice(starts) if starts else 0
        end = text.find(":", at)
        return f"{text[: at + 1]}{text[at + 1 : end]}:0,{text[at + 1 :]}" if end > 0 else text
    if kind == 3:
        letters = [at for at, letter in enumerate(text) if letter.isalpha() and letter not in "nulltruefalse"]
        at = rng.choice(letters) if letters else 0
        return f"{text[:at]}\\u{ord(text[at]):04x}{text[at + 1 :]}"
    return text


MUTATIONS: list[Mutation] = [flipped, with_token, cut, spliced, relined, revalued, revalued, revalued, revalued]


def mutated(seeds: list[bytes], rng: random.Random, of_values: bool = False) -> bytes:
    """One of the files, changed one to four times; of_values: what is no JSON any more is of no use."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = (revalued if of_values else rng.choice(MUTATIONS))(data, rng, seeds)
    return data
