"""The stranger's verifier: it accepts an honest audit and names every lie, even one that the operator signed."""

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from auditing.core.ledger import bundle
from auditing.translog import sequencing
from auditing.verifier import verify_audit
from hdag.core import canonical
from tests.tools.patience import PATIENCE
from tests.verifier import bundles, world

SCRIPT = Path(verify_audit.__file__)
HONEST = bundle.encode(bundle=bundles.finished())


@cache
def honest_entries() -> tuple[bytes, ...]:
    return tuple(bundles.walked().entries)


def failures(data: bytes) -> str:
    report = verify_audit.verify(data)
    return "\n".join(f"{title}: {note}" for good, title, note in report.lines if not good)


def forged(kind: str, lie, which: int = 0) -> bytes:
    """The bundle of an operator who changed one leaf of `kind` and signed the whole ledger anew."""
    forger = bundles.walked()
    forger.entries = list(honest_entries())
    places = [at for at, entry in enumerate(forger.entries) if at >= 300 and json.loads(entry)["t"] == kind]
    leaf = json.loads(forger.entries[places[which]])
    lie(leaf)
    forger.entries[places[which]] = canonical.encode(value=leaf)
    return bundle.encode(bundle=bundles.bundled(world=forger))


def test_an_honest_audit_is_accepted():
    assert failures(HONEST) == ""


def test_a_stranger_needs_one_file_only(tmp_path):
    (tmp_path / "verify.py").write_bytes(SCRIPT.read_bytes())
    (tmp_path / "bundle.json").write_bytes(HONEST)
    ran = subprocess.run(
        [sys.executable, "-I", "verify.py", "bundle.json", "--vkey", world.KEY.verifier.vkey],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Everything that can be checked holds." in ran.stdout
    assert "A bundle alone cannot show:" in ran.stdout
    assert ran.stdout.partition("Believed, not proven:")[2].count("  - ") >= 4


def test_a_lie_and_an_unreadable_file_are_refused_with_one_sentence(tmp_path, capsys):
    path = tmp_path / "bundle.json"
    path.write_bytes(HONEST.replace(b'"confidence\\":8000', b'"confidence\\":8001', 1))
    assert verify_audit.main([str(path), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["believed"]) == (False, [])
    assert told["refused"].startswith("inclusion of every leaf: leaf ")
    path.write_bytes(b"hello")
    assert verify_audit.main([str(path)]) == 2
    assert verify_audit.main([str(tmp_path / "absent")]) == 2


def test_another_key_than_the_expected_one_is_named():
    report = verify_audit.verify(HONEST, vkey="x" + world.KEY.verifier.vkey)
    assert not report.ok


def set_field(name, value):
    return lambda leaf: leaf.__setitem__(name, value)


def in_first(name, key, value):
    return lambda leaf: leaf[name][0].__setitem__(key, value)


LIES = [
    ("audit.open", set_field("segments_root", "ab" * 32), "the list segments is not the one that audit.open fixed"),
    ("audit.open", set_field("eligible_root", "ab" * 32), "the list eligible is not the one that audit.open fixed"),
    ("audit.open", set_field("eligible", 40), "audit.open says 40"),
    ("audit.open", set_field("seed_commit", "ab" * 32), "the seed is not the one committed to"),
    ("seat.assign", set_field("digest", "ab" * 32), "the seats are not those that were assigned"),
    ("substitution", set_field("digest", "ab" * 32), "the seats are not those that were assigned"),
    ("substitution", set_field("draw", 2), "a draw of this round is missing"),
    ("round.open", set_field("segment_digest", "ab" * 32), "the round showed another text"),
    ("round.open", set_field("k", 9), "stated human, 5"),
    ("vote.commit", set_field("commitment", "ab" * 32), "the commitments are not those at closing time"),
    ("phase.reveal", set_field("commits", 4), "a commitment is missing or double"),
    ("phase.reveal", set_field("salts", ["ab" * 32]), "the seats are not those that were assigned"),
    ("vote.reveal", in_first("openings", "vote", 0), "the opened vote is not the sealed one"),
    ("vote.reveal", in_first("openings", "nonce", "ab" * 31 + "cd"), "the opened vote is not the sealed one"),
    ("vote.reveal", in_first("openings", "nonce", "ab" * 32), "a nonce of equal bytes hides nothing"),
    ("vote.reveal", in_first("openings", "confidence", 4_999), "a confidence of 4999"),
    ("vote.reveal", in_first("openings", "confidence", 0xFFFF), "a confidence of 65535"),
    ("vote.reveal", in_first("openings", "auditor", "ab" * 32), "the seats are not those that were assigned"),
    ("vote.reveal", lambda leaf: leaf["openings"].pop(), "a sealed vote was neither opened nor marked silent"),
    ("vote.noreveal", in_first("seats", "committed", True), "whether it committed is misstated"),
    ("skills", in_first("auditors", "sensitivity", "1/2"), "tally: recomputed"),
    ("outcome.preliminary", set_field("passes", 4), "the votes count"),
    ("outcome.preliminary", set_field("outcome", "fail"), "tally: recomputed human, 5, pass, pass"),
    ("outcome.preliminary", set_field("paper_outcome", "fail"), "tally: recomputed human, 5, pass, pass"),
    ("outcome.preliminary", set_field("posterior", "0.9"), "tally: recomputed human, 5, pass, pass"),
    ("outcome.preliminary", set_field("rule", "majority"), "the rule majority is not the policy's"),
    ("segment.outcome", set_field("outcome", "fail"), "the rounds do not lead to this outcome"),
    ("segment.outcome", set_field("posterior", "0.5"), "the posterior is"),
    ("segment.outcome", set_field("refuted", True), "whether a checker refuted it is misstated"),
    ("segment.outcome", set_field("weight", "7"), "the weight is not the one that audit.open fixed"),
    ("segment.outcome", set_field("paper_outcome", "hung"), "the paper's outcome is not that of the last round"),
    ("segment.outcome", set_field("rounds", 0), "decided without a round"),
    ("segment.outcome", set_field("adjudicated", True), "nobody was asked to adjudicate"),
    ("trace.outcome", set_field("outcome", "pass"), "outcome of the trace: recomputed"),
    ("trace.outcome", set_field("posterior", "0.5"), "outcome of the trace: recomputed"),
    ("trace.outcome", set_field("score", "0.5"), "outcome of the trace: recomputed"),
    ("trace.outcome", set_field("weight_passed", "1"), "outcome of the trace: recomputed"),
    ("trace.outcome", set_field("rule", "minimum"), "the rule is not the policy's"),
    ("trace.outcome", set_field("seed", "ab" * 32), "the seed is not the one committed to"),
    ("trace.outcome", set_field("draw_root", "ab" * 32), "does not continue"),
    ("trace.outcome", set_field("draw_size", 300), "older than audit.open"),
    ("reputation.update", set_field("after", "0.99"), "the step leads to"),
    ("reputation.update", set_field("prior", "0.905"), "not rounded to .01"),
    ("reputation.update", lambda leaf: leaf.__setitem__("correct", not leaf["correct"]), "the vote was"),
    ("reputation.update", set_field("auditor", "ab" * 32), "held no seat"),
    ("payout", in_first("lines", "points", 99), "the postings do not sum to zero"),
    ("payout", set_field("pool", 1), "the postings do not sum to zero"),
    ("payout", in_first("lines", "posting", "no_show"), "recomputed"),
    (
        "payout",
        lambda leaf: (
            in_first("lines", "points", 60)(leaf),
            leaf.__setitem__("pool", -sum(line["points"] for line in leaf["lines"])),
        ),
        "60 stated",
    ),
    ("gold.reveal", set_field("truth", "none"), "what was known beforehand is not what audit.open fixed"),
    ("gold.reveal", set_field("salt", "ab" * 32), "what was known beforehand is not what audit.open fixed"),
]


ADJUDICATED = 1  # the second segment's outcome is its adjudicator's


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("outcome", "pass", "the adjudicator said fail"),
        ("posterior", "0.98", "the posterior is 0.02, stated 0.98"),
        ("posterior", "0.35", "the posterior is 0.02, stated 0.35"),
        ("adjudicated", False, "an adjudicator decided, which is not said"),
    ],
)
def test_an_adjudicated_outcome_is_the_word_that_was_opened_and_stands_for_its_posterior(field, value, message):
    assert message in failures(forged("segment.outcome", set_field(field, value), which=ADJUDICATED))


@pytest.mark.parametrize(("said", "message"), [("1/1", "tally: recomputed"), ("3/2", "lies outside 0 to 1")])
def test_a_misstated_correlation_of_a_family_is_named(said, message):
    leaves = [json.loads(entry) for entry in honest_entries()[300:]]
    skills = [leaf["auditors"] for leaf in leaves if leaf["t"] == "skills"]
    models = next(number for number, auditors in enumerate(skills) if any("family" in one for one in auditors))

    def lie(leaf):
        for one in leaf["auditors"]:
            one["correlation"] = said

    assert message in failures(forged("skills", lie, which=models))


@pytest.mark.parametrize(("kind", "lie", "message"), LIES, ids=[f"{kind}-{n}" for n, (kind, *_) in enumerate(LIES)])
def test_a_lie_that_the_operator_signed_is_named(kind, lie, message):
    assert message in failures(forged(kind, lie))


def turned(text):
    """Base64 or hexadecimal with another first character."""
    return ("1" if text[0] == "0" else "0") + text[1:]


FLIPS = [
    (("vkey",), lambda text: text[:-6] + turned(text[-6:]), "signature of the checkpoint: the key id does not belong"),
    (
        ("checkpoint",),
        lambda text: text[:-9] + turned(text[-9:]),
        "signature of the checkpoint: the signature",
    ),
    (
        ("leaves", 3, "entry"),
        lambda text: text.replace('"v":1', '"v":3', 1),
        "inclusion of every leaf: leaf 303 is",
    ),
    (("leaves", 7, "proof", 2), turned, "inclusion of every leaf: leaf 307 is not"),
    (("leaves", 9, "index"), lambda index: index ^ 1, "inclusion of every leaf: leaf 308 is not"),
    (("segments", 1, "digest"), turned, "the list segments is not the one that audit.open fixed"),
    (("eligible", 4, "load"), lambda load: load ^ 1, "the list eligible is not the one that audit.open fixed"),
    (("draw", "consistency", 0), turned, "seed of the draw: the ledger of"),
    (
        ("later", "checkpoint"),
        lambda text: text[:-9] + turned(text[-9:]),
        "continues this one: the signature",
    ),
    (("later", "consistency", 1), turned, "a later checkpoint continues this one: the ledger of"),
]


@pytest.mark.parametrize(("place", "flip", "message"), FLIPS, ids=[".".join(map(str, place)) for place, *_ in FLIPS])
def test_a_flipped_bit_in_each_part_has_its_own_message(place, flip, message):
    bad = json.loads(HONEST)
    part = bad
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = flip(part[place[-1]])
    assert message in failures(json.dumps(bad).encode())


def test_a_flipped_bit_anywhere_in_the_bundle_is_found():
    rng = random.Random(3)
    for position in rng.sample(range(len(HONEST) * 8), 60):
        bad = bytearray(HONEST)
        bad[position // 8] ^= 1 << position % 8
        try:
            assert failures(bytes(bad)), f"bit {position}"
        except verify_audit.UnreadableError:
            continue


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"format":1}', b"[" * 100_000, HONEST[:-1], b"\xff"])
def test_what_is_no_bundle_is_called_unreadable(data):
    with pytest.raises(verify_audit.UnreadableError):
        verify_audit.verify(data)


def test_an_unfinished_audit_can_be_checked_as_far_as_it_went():
    half = world.World()
    half.entries = list(honest_entries()[:300])
    half.open()
    assert failures(bundle.encode(bundle=bundles.bundled(world=half))) == ""


def test_a_bundle_is_not_made_of_leaves_that_are_not_in_the_ledger():
    made = bundles.walked()
    with pytest.raises(bundle.BundleError, match="leaf 0 is not the one in the ledger"):
        bundle.build(
            vkey=world.KEY.verifier.vkey,
            checkpoint=bundles.finished()["checkpoint"],
            entries={0: made.entries[1]},
            read=lambda level, index: bytes(32),
            segments=(),
            eligible=(),
        )
    assert sequencing.LARGEST_ENTRY == 16_384
