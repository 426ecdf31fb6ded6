"""Check an audit bundle offline, trusting nobody: python verify_audit.py BUNDLE [--vkey KEY] [--json]

Needs Python 3.11 and the package `cryptography`; nothing of the system that made the bundle. Exit code 0: all that can
be checked holds; 1: something does not; 2: the file cannot be read. Arithmetic is exact (fractions), posteriors are
compared as published: rounded half even to 12 decimal places.
"""

# mypy: ignore-errors

import argparse
import base64
import hashlib
import hmac
import json
import math
import re
import sys
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "trust-audit-bundle/v1"
# a bundle with other keys is refused, so nothing unchecked rides along in it
KEYS = {"format", "vkey", "checkpoint", "leaves", "segments", "eligible", "draw"}
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+|/[1-9][0-9]*)?")
# the byte of a vote in its commitment
WORDS = {0: "fail", 1: "pass", 2: "abstain"}
# printed under every report: what no bundle can show, however good it is
CANNOT = (
    "that no leaf of this audit was left out of the bundle: compare with the whole ledger (its entry bundles)",
    "that an auditor's stated prior reputation continues the last one: pseudonyms change with every audit; "
    "the auditor and the operator's ledger_fsck check that",
    "that the key is the operator's: compare it with a copy that you got elsewhere (--vkey)",
    "that the operator shows everybody the same ledger: look for cosignatures of witnesses whom you trust",
    "that the checkpoint used for the draw was the very first one after audit.open",
    "that a vote is true; only that it was sealed, opened, counted and paid by the stated rules",
)


class UnreadableError(Exception):
    """The file is no bundle."""


class CheckFailedError(Exception):
    """A check failed."""


@dataclass
class Report:
    """What was checked, in order."""

    lines: list = field(default_factory=list)

    def run(self, title, check, *args):
        """One check: its result, or None when it failed."""
        try:
            result = check(*args)
        except CheckFailedError as error:
            self.lines.append((False, title, str(error)))
            return None
        # a malformed value fails its own check; the others go on
        except (KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError) as error:
            self.lines.append((False, title, f"a value is missing or malformed: {type(error).__name__} {error}"[:300]))
            return None
        self.lines.append((True, title, result if isinstance(result, str) else ""))
        return result

    @property
    def ok(self):
        """Nothing failed."""
        return all(good for good, _, _ in self.lines)

    def text(self):
        """The report for a person."""
        rows = [
            f"  {'ok    ' if good else 'FAILED'} {title}{': ' + note if note else ''}"
            for good, title, note in self.lines
        ]
        bad = sum(not good for good, _, _ in self.lines)
        verdict = "Everything that can be checked holds." if not bad else f"{bad} of {len(self.lines)} checks FAILED."
        return "\n".join(
            ["Checked:", *rows, "", "A bundle alone cannot show:", *(f"  - {line}" for line in CANNOT), "", verdict]
        )


def need(condition, message):
    """Fail the running check unless `condition`."""
    if not condition:
        raise CheckFailedError(message)


# -- hashes, trees, signatures --------------------------------------------------------------------------------------


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def pad32(label):
    return label.encode().ljust(32, b"\0")


def unhex(text, length=32):
    data = bytes.fromhex(text)
    need(len(data) == length and data.hex() == text, f"not {length} bytes in hexadecimal: {text[:80]}")
    return data


def b64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, f"base64 with stray bits: {text[:80]}")
    return data


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def leaf_hash(entry):
    return sha(b"\0", entry)


def tree_root(leaves):
    """By the definition of RFC 6962 section 2.1."""
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    # the largest power of two below the number of leaves
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1", tree_root(leaves[:split]), tree_root(leaves[split:]))


def root_of_inclusion(leaf, index, size, proof):
    """RFC 9162 section 2.1.3.2."""
    need(0 <= index < size, f"leaf {index} lies outside a tree of {size}")
    # the names of the RFC: the node's position on its level, and the last position there; both halve on the way up
    fn, sn, node = index, size - 1, leaf
    for sibling in proof:
        need(sn > 0 and len(sibling) == 32, "the audit path is too long")
        if fn % 2 or fn == sn:
            node = sha(b"\1", sibling, node)
            while fn % 2 == 0 and fn:
                fn, sn = fn // 2, sn // 2
        else:
            node = sha(b"\1", node, sibling)
        fn, sn = fn // 2, sn // 2
    need(sn == 0, "the audit path is too short")
    return node


def check_consistency(old, new, proof):
    """RFC 9162 section 2.1.4.2, heads as (size, root)."""
    (size1, root1), (size2, root2) = old, new
    need(1 <= size1 <= size2, f"size {size2} cannot continue size {size1}")
    if size1 == size2:
        need(root1 == root2 and not proof, "two roots of one size")
        return
    # a power of two: the old root is itself a node of the new tree, and is left out of the proof
    proof = [root1, *proof] if size1 & (size1 - 1) == 0 else list(proof)
    need(proof and all(len(sibling) == 32 for sibling in proof), "the consistency proof is empty")
    fn, sn = size1 - 1, size2 - 1
    while fn % 2:
        fn, sn = fn // 2, sn // 2
    first = second = proof[0]
    for sibling in proof[1:]:
        need(sn > 0, "the consistency proof is too long")
        if fn % 2 or fn == sn:
            first, second = sha(b"\1", sibling, first), sha(b"\1", sibling, second)
            while fn % 2 == 0 and fn:
                fn, sn = fn // 2, sn // 2
        else:
            second = sha(b"\1", second, sibling)
        fn, sn = fn // 2, sn // 2
    need(
        sn == 0 and (first, second) == (root1, root2), f"the ledger of {size2} leaves does not continue that of {size1}"
    )


def open_note(text, vkey):
    """(size, root) of a checkpoint that `vkey` signed (C2SP signed-note, tlog-checkpoint)."""
    name, key_id, encoded = vkey.split("+", 2)
    key = b64(encoded)
    need(len(key) == 33 and key[0] == 1, "the key is not an Ed25519 key")
    need(sha(name.encode(), b"\n", key)[:4].hex() == key_id, "the key id does not belong to the key")
    body, separator, tail = text.rpartition("\n\n")
    need(separator and tail.endswith("\n"), "the checkpoint is not a signed note")
    # C2SP signed-note: em dash, name, base64 of key id and signature
    lines = [line.split(" ") for line in tail[:-1].split("\n")]
    need(all(len(line) == 3 and line[0] == "\u2014" for line in lines), "a signature line is malformed")
    mine = [b64(line[2])[4:] for line in lines if line[1] == name and b64(line[2])[:4].hex() == key_id]
    need(mine, f"no signature by {name}")
    for signature in mine:
        try:
            Ed25519PublicKey.from_public_bytes(key[1:]).verify(signature, (body + "\n").encode())
        except InvalidSignature:
            raise CheckFailedError("the signature does not belong to this checkpoint") from None
    origin, size, root, *_ = body.split("\n")
    need(origin == name and str(int(size)) == size, "the checkpoint is of another ledger")
    return int(size), b64(root)


# -- reading --------------------------------------------------------------------------------------------------------


def rational(value):
    """An exact number from a JSON integer or from text such as "0.6" or "7/10"."""
    if type(value) is int or (isinstance(value, str) and len(value) <= 2048 and NUMBER.fullmatch(value)):
        return Fraction(value)
    raise ValueError(f"not a number: {str(value)[:40]!r}")


def strict_json(text):
    """JSON without duplicate keys, floats or NaN."""

    def pairs(pairs_read):
        members = dict(pairs_read)
        if len(members) != len(pairs_read):
            raise ValueError("a key stands twice")
        return members

    # floats have no exact canonical form, so a leaf holds none
    def refuse(token):
        raise ValueError(f"{token} is not an integer")

    return json.loads(text, object_pairs_hook=pairs, parse_float=refuse, parse_constant=refuse)


class Audit:
    """The leaves of a bundle by type, in log order, with what has been recomputed so far."""

    def __init__(self, bundle):
        self.bundle = bundle
        self.origin = bundle["vkey"].split("+")[0]
        self.by_type = defaultdict(list)
        self.tallies = defaultdict(dict)  # segment -> round -> recomputed tally
        self.posteriors = {}
        self.held = defaultdict(set)  # auditor -> positions
        self.seed = None
        for proved_leaf in sorted(bundle["leaves"], key=lambda proved_leaf: proved_leaf["index"]):
            leaf = strict_json(proved_leaf["entry"])
            leaf["index"] = proved_leaf["index"]
            self.by_type[leaf["t"]].append(leaf)
        opened = self.by_type["audit.open"]
        self.open = opened[0] if opened else {}
        self.params = self.open.get("params", {})
        self.segments = bundle["segments"]
        self.eligible = {line["auditor"]: line for line in bundle["eligible"]}
        self.extensions = self.by_type["eligible.extend"]
        # Auditors who joined later were added by eligible.extend leaves; each extension has a list and a seed of its
        # own.
        late = [number for number, leaf in enumerate(self.extensions, 1) for _ in range(leaf["eligible"])]
        early = len(bundle["eligible"]) - len(late)
        self.roster_of = {
            line["auditor"]: late[number - early] if number >= early else 0
            for number, line in enumerate(bundle["eligible"])
        }
        self.seeds = []  # (size of the checkpoint that it needs, seed) of audit.open's list and of each longer one
        self.roster = 0  # of the last draw
        self.position = {line["segment"]: number for number, line in enumerate(self.segments)}
        self.truth = {leaf["segment"]: leaf["truth"] for leaf in self.by_type["gold.reveal"]}

    def of(self, leaf_type, segment, number):
        """Leaves of one type about one round."""
        return [leaf for leaf in self.by_type[leaf_type] if (leaf["segment"], leaf["round"]) == (segment, number)]

    def one(self, leaf_type, segment, number):
        """The only such leaf."""
        leaves = self.of(leaf_type, segment, number)
        need(len(leaves) == 1, f"{len(leaves)} leaves {leaf_type} instead of one")
        return leaves[0]

    @property
    def outcome(self):
        """The trace.outcome leaf, or None while the audit runs."""
        return (self.by_type["trace.outcome"] or [None])[0]


# -- the checks -----------------------------------------------------------------------------------------------------


def check_inclusion(bundle, head):
    size, root = head
    for proved_leaf in bundle["leaves"]:
        entry = proved_leaf["entry"].encode()
        reached = root_of_inclusion(
            leaf_hash(entry), proved_leaf["index"], size, [b64(sibling) for sibling in proved_leaf["proof"]]
        )
        need(reached == root, f"leaf {proved_leaf['index']} is not in the ledger: it was changed, or its proof was")
    indexes = [proved_leaf["index"] for proved_leaf in bundle["leaves"]]
    need(len(set(indexes)) == len(indexes), "a leaf stands twice")
    return f"{len(indexes)} leaves under {size}"


def check_forms(bundle, audit):
    need(bundle.keys() - {"later"} == KEYS, f"a bundle has exactly the keys {sorted(KEYS)} and later")
    for proved_leaf in bundle["leaves"]:
        leaf = strict_json(proved_leaf["entry"])
        need(proved_leaf.keys() == {"index", "entry", "proof"}, f"leaf {proved_leaf['index']} carries an unknown key")
        # one leaf, one spelling: the hash that was proved is the hash of what is read here
        need(canonical(leaf) == proved_leaf["entry"].encode(), f"leaf {proved_leaf['index']} is not canonical JSON")
        need(leaf["v"] == 1, f"leaf {proved_leaf['index']} is not of version 1")
        need(
            leaf.get("audit", audit.open["audit"]) == audit.open["audit"],
            f"leaf {proved_leaf['index']} is of another audit",
        )
    need(len(audit.by_type["audit.open"]) == 1, "there must be one audit.open leaf")
    need(len(audit.by_type["trace.outcome"]) <= 1, "there is more than one trace.outcome leaf")


def check_rosters(audit):
    check_list("segments", audit.segments, audit.open)
    start, lines = audit.open["eligible"], audit.bundle["eligible"]
    check_list("eligible", lines[:start] if audit.extensions else lines, audit.open)
    for leaf in audit.extensions:
        check_list("eligible", lines[start : start + leaf["eligible"]], leaf)
        start += leaf["eligible"]
    need(len(audit.eligible) == len(lines) == start, "the list eligible has lines that no leaf fixed")
    late = start - audit.open["eligible"]
    added = f", {late} of them added later and drawn with seeds of their own" if late else ""
    return f"{len(audit.segments)} segments, {len(audit.eligible)} auditors{added}"


def check_list(name, lines, leaf):
    need(len(lines) == leaf[name], f"the list {name} has {len(lines)} lines, {leaf['t']} says {leaf[name]}")
    root = tree_root([leaf_hash(canonical(line)) for line in lines]).hex()
    need(root == leaf[f"{name}_root"], f"the list {name} is not the one that {leaf['t']} fixed")


def check_seed(audit, head):
    done = audit.outcome
    need(
        sha(unhex(done["seed"])).hex() == audit.open["seed_commit"],
        "the seed is not the one committed to in audit.open",
    )
    # The seed mixes what the operator committed to before (seed), and what it could not know then (the root of a later
    # checkpoint, a public beacon): neither side alone chooses who is drawn.
    proofs = [audit.bundle["draw"]["consistency"], *audit.bundle["draw"].get("extensions", [])]
    heads = [
        (done["draw_size"], done["draw_root"]),
        *((extension["size"], extension["root"]) for extension in done.get("extensions", [])),
    ]
    lists = [audit.open, *audit.extensions][: len(heads)]
    need(len(heads) == len(proofs) == len(lists), "a seed has no list, or no proof")
    for leaf, (size, root), proof in zip(lists, heads, proofs, strict=True):
        need(size > leaf["index"], f"the draw used a checkpoint older than {leaf['t']}")
        check_consistency((size, unhex(root)), head, [b64(sibling) for sibling in proof])
        entry = next(
            proved_leaf["entry"] for proved_leaf in audit.bundle["leaves"] if proved_leaf["index"] == leaf["index"]
        )
        beacon = unhex(done["beacon"]) if "beacon" in done else bytes(32)
        parts = (unhex(done["seed"]), leaf_hash(entry.encode()), unhex(root), beacon)
        audit.seeds.append((size, sha(pad32("TRUST/draw/v1"), *parts)))
    audit.seed = audit.seeds[0][1]


def seats_of(audit, segment, number):
    """Every seat ever filled in a round: (draw, seat, auditor, opening or None, committed)."""
    opened = [opening for leaf in audit.of("vote.reveal", segment, number) for opening in leaf["openings"]]
    silent = [opening for leaf in audit.of("vote.noreveal", segment, number) for opening in leaf["seats"]]
    seats = [(opening["draw"], opening["seat"], opening["auditor"], opening, True) for opening in opened]
    seats += [(opening["draw"], opening["seat"], opening["auditor"], None, opening["committed"]) for opening in silent]
    need(len({seat for _, seat, *_ in seats}) == len(seats), "a seat stands twice")
    return sorted(seats, key=lambda seat: (seat[0], seat[1]))


def draws_of(audit, segment=None, number=None):
    """The leaves that filled seats, in log order; of one round, or of all."""
    assignments = audit.by_type["seat.assign"] + audit.by_type["substitution"]
    mine = [leaf for leaf in assignments if segment is None or (leaf["segment"], leaf["round"]) == (segment, number)]
    return sorted(mine, key=lambda leaf: leaf["index"])


def check_draw(audit, leaf):
    """The hidden list opens to the seats, and the auditors are the next ones of the seeded draw."""
    segment, number = leaf["segment"], leaf["round"]
    salts = closing_of(audit, segment, number)["salts"]
    numbers = [record["draw"] for record in draws_of(audit, segment, number)]
    need(numbers == list(range(len(salts))), "a draw of this round is missing")
    mine = [(seat, auditor) for draw, seat, auditor, *_ in seats_of(audit, segment, number) if draw == leaf["draw"]]
    # sorted: the digest says who sits, whatever the order in which the leaves list them
    body = sorted(uuid.UUID(seat).bytes + unhex(auditor) for seat, auditor in mine)
    digest = sha(pad32("TRUST/assign/v1"), unhex(salts[leaf["draw"]]), *body).hex()
    need(digest == leaf["digest"], "the seats are not those that were assigned")
    position = audit.position[segment]
    tier, pool = audit.one("round.open", segment, number)["tier"], leaf.get("pool")
    # the caps on load, share and neighbouring segments hold for human auditors outside the trusted pool
    bound = tier == "human" and not pool
    # the draw is a ranking by hash: the first ones who may sit are drawn
    allowed = [auditor for auditor in ranked(audit, leaf, tier) if may_sit(audit, auditor, position, bound)]
    wanted = allowed[: len(mine)]
    need(sorted(wanted) == sorted(auditor for _, auditor in mine), "these are not the auditors that the seed draws")
    for auditor in wanted:
        audit.held[auditor].add(position)
    asked = any(
        record["to"] == "adjudicator" and (record["segment"], record["round"]) == (segment, number - 1)
        for record in audit.by_type["escalation"]
    )
    away = sum(
        record["reason"] == "passed_over" and record["draw"] == leaf["draw"]
        for silent in audit.of("vote.noreveal", segment, number)
        for record in silent["seats"]
    )
    remarks = [f"{len(mine) - away} seats"]
    if away:
        remarks.append(f"{away} auditors passed over, which is the operator's word")
    if pool and not asked:
        remarks.append("from the trusted pool, which is the operator's word")
    return ", ".join(remarks)


def closing_of(audit, segment, number):
    """The last closing of a round's window: a redraw opens it again."""
    closings = audit.of("phase.reveal", segment, number)
    need(closings, "the window was never closed")
    return closings[-1]


def ranked(audit, leaf, tier):
    """Auditors of the round's tier and the draw's pool by the smallest of their tickets' hashes."""
    roster = leaf.get("roster", 0)
    need(roster < len(audit.seeds), "the draw used a list without a seed")
    size, seed = audit.seeds[roster]
    if tier != "computer":  # there is one checker, and no choice
        need(audit.roster <= roster, "the draw used an older list again")
        need(size <= leaf["index"], "the draw was made before its seed was fixed")
        audit.roster = roster
    start = seed + uuid.UUID(leaf["segment"]).bytes + leaf["round"].to_bytes(4)

    def rank(line):
        name = unhex(line["auditor"])
        need(1 <= line["weight"] <= 8, "a weight in the eligible list lies outside 1 to 8")
        # more tickets, more chances of a small hash: the weight of the lottery
        return min(sha(start, name, ticket.to_bytes(4)) for ticket in range(line["weight"])), name

    listed = [
        line
        for line in audit.eligible.values()
        if line["kind"] == tier
        and (line.get("pool") == "both" or line.get("pool") == leaf.get("pool"))
        and audit.roster_of[line["auditor"]] <= roster
    ]
    return [line["auditor"] for line in sorted(listed, key=rank)]


def may_sit(audit, auditor, position, bound):
    if not bound:
        return position not in audit.held[auditor]
    rules, held = audit.open["draw"], audit.held[auditor]
    cap = max(1, int(rational(rules["share_cap"]) * len(audit.segments)))
    if position in held or audit.eligible[auditor]["load"] + len(held) >= rules["load_cap"] or len(held) + 1 > cap:
        return False
    return rules["adjacent"] or not {position - 1, position + 1} & held


def check_openings(audit, segment, number):
    """Every opened vote matches the commitment that was in the ledger before the window closed."""
    closing = closing_of(audit, segment, number)
    commits = {leaf["seat"]: leaf for leaf in audit.of("vote.commit", segment, number)}
    need(len(commits) == len(audit.of("vote.commit", segment, number)), "a commitment is missing or double")
    for closing_leaf in audit.of("phase.reveal", segment, number):
        listed = sorted(unhex(leaf["commitment"]) for leaf in commits.values() if leaf["index"] < closing_leaf["index"])
        need(len(listed) == closing_leaf["commits"], "a commitment is missing or double")
        digest = sha(pad32("TRUST/commits/v1"), *listed).hex()
        need(digest == closing_leaf["digest"], "the commitments are not those at closing time")
    # sealed before the closing, opened after it: nobody voted knowing the other votes
    need(all(leaf["index"] < closing["index"] for leaf in commits.values()), "a commitment came after the closing")
    need(
        all(leaf["index"] > closing["index"] for leaf in audit.of("vote.reveal", segment, number)),
        "opened before the closing",
    )
    seats = seats_of(audit, segment, number)
    for _, seat, auditor, opening, committed in seats:
        need(committed == (seat in commits), f"seat {seat}: whether it committed is misstated")
        if opening:
            commitment = commitment_of(audit, (segment, number), (seat, auditor), opening)
            need(commitment == commits[seat]["commitment"], f"seat {seat}: the opened vote is not the sealed one")
    need(set(commits) <= {seat for _, seat, *_ in seats}, "a sealed vote was neither opened nor marked silent")
    return f"{sum(1 for seat in seats if seat[3])} votes opened, {sum(1 for seat in seats if not seat[3])} seats silent"


def commitment_of(audit, round_key, who, opening):
    """SHA-256 of the 248 bytes of format v1."""
    segment, number = round_key
    digest = audit.one("round.open", segment, number)["segment_digest"]
    need(
        digest == audit.segments[audit.position[segment]]["digest"],
        "the round showed another text than audit.open fixed",
    )
    parts = (
        pad32("TRUST/vote-commit/v1"),
        sha(audit.origin.encode()),
        uuid.UUID(audit.open["audit"]).bytes,
        uuid.UUID(segment).bytes,
        number.to_bytes(4),
        uuid.UUID(who[0]).bytes,
        unhex(who[1]),
        unhex(digest),
        bytes((opening["vote"], 0)),
        opening["confidence"].to_bytes(2),
        unhex(opening["rationale"]),
        unhex(opening["nonce"]),
    )
    need(sum(map(len, parts)) == 248, "the preimage has not 248 bytes")
    return sha(*parts).hex()


# -- consensus ------------------------------------------------------------------------------------------------------


def quorum(share, k):
    # a tolerance of 10^-9, for shares such as 2/3 that a policy states as rounded decimals
    return math.ceil(rational(share) * k - Fraction(1, 10**9))


def rounded(number):
    """A published posterior: 12 places, half even."""
    return Fraction(round(Fraction(number) * 10**12), 10**12)


def check_tally(audit, segment, number):
    """The round's numbers and outcome follow from its opened votes and the published skills."""
    opened, stated = audit.one("round.open", segment, number), audit.one("outcome.preliminary", segment, number)
    tier, k, params = opened["tier"], opened["k"], audit.params
    votes = [(seat[2], WORDS[seat[3]["vote"]]) for seat in seats_of(audit, segment, number) if seat[3]]
    need(
        len({auditor for auditor, _ in votes}) == len(votes) <= k,
        "an auditor voted twice, or there are more votes than seats",
    )
    counts = [sum(word == name for _, word in votes) for name in ("pass", "fail", "abstain")]
    need(counts == [stated[name] for name in ("passes", "fails", "abstentions")], f"the votes count {counts}")
    posterior = posterior_of(audit, (segment, number, tier), votes)
    paper = paper_outcome(counts, params[tier], k)
    outcome = binding(params, stated["rule"], (paper, counts, posterior))
    # too few votes decide nothing
    silent = len(votes) < quorum(params[tier]["turnout"], k)
    paper = "hung" if silent else paper
    outcome = "hung" if silent or counts[0] + counts[1] == 0 else outcome
    recomputed = (tier, k, outcome, paper, rounded(posterior))
    claimed = (stated["tier"], stated["k"], stated["outcome"], stated["paper_outcome"], rational(stated["posterior"]))
    need(recomputed == claimed, f"recomputed {describe(recomputed)}, stated {describe(claimed)}")
    audit.tallies[segment][number] = {
        "tier": tier,
        "k": k,
        "outcome": outcome,
        "paper": paper,
        "posterior": posterior,
        "passes": counts[0],
        "fails": counts[1],
    }
    return f"{outcome} at {float(posterior):.4f}"


def describe(values):
    return ", ".join(str(float(value)) if isinstance(value, Fraction) else str(value) for value in values)


def paper_outcome(counts, rules, k):
    passes, fails = counts[0] >= quorum(rules["tau"], k), counts[1] >= quorum(rules["tau_fail"], k)
    return "hung" if passes == fails else "pass" if passes else "fail"


def binding(params, rule, tally):
    paper, counts, posterior = tally
    wanted = params.get("consensus", "auto")
    need(
        rule == wanted or (wanted == "auto" and rule in ("two_coin_gold", "two_coin_em")),
        f"the rule {rule} is not the policy's",
    )
    if rule == "quorum":
        return paper
    if rule == "majority":
        return "hung" if counts[0] == counts[1] else "pass" if counts[0] > counts[1] else "fail"
    if posterior >= rational(params["theta_pass"]):
        return "pass"
    return "fail" if posterior <= rational(params["theta_fail"]) else "hung"


def posterior_of(audit, round_key, votes):
    """Two-coin model in exact fractions; a unanimous family of models counts partly as one voice."""
    segment, number, tier = round_key
    rules, believed = audit.params[tier], rational(audit.params["family_correlation"])
    # an auditor without a record counts as the mean of the Beta prior
    mean = rational(rules["prior_right"]) / (rational(rules["prior_right"]) + rational(rules["prior_wrong"]))
    skills = {
        estimate["auditor"]: estimate for leaf in audit.of("skills", segment, number) for estimate in leaf["auditors"]
    }
    groups = defaultdict(list)
    for auditor, word in votes:
        skill = skills.get(auditor, {})
        sens, spec = (rational(skill[name]) if skill else mean for name in ("sensitivity", "specificity"))
        if word != "abstain":
            pair = (sens, 1 - spec) if word == "pass" else (1 - sens, spec)
            measured = rational(skill["correlation"]) if "correlation" in skill else None
            need(measured is None or 0 <= measured <= 1, "a correlation lies outside 0 to 1")
            groups[skill.get("family", auditor)].append((word, *pair, measured))
    # likelihoods of all votes if the segment is valid, and if it is wrong; auditors vote independently, families do
    # not
    valid = wrong = Fraction(1)
    for group in groups.values():
        a, b = (math.prod((voice[at] for voice in group), start=Fraction(1)) for at in (1, 2))
        if len(group) > 1 and len({voice[0] for voice in group}) == 1:
            # with probability rho the family spoke with one voice, otherwise independently
            rho = max((voice[3] for voice in group if voice[3] is not None), default=believed)
            together = [Fraction(sum(voice[at] for voice in group), len(group)) for at in (1, 2)]
            a, b = rho * together[0] + (1 - rho) * a, rho * together[1] + (1 - rho) * b
        valid, wrong = valid * a, wrong * b
    prior = rational(audit.params["base_rate"])
    # Bayes' rule
    return prior * valid / (prior * valid + (1 - prior) * wrong)


def check_segment(audit, leaf):
    """A segment's outcome follows from its rounds; an adjudicator's opened vote decides by itself."""
    need(leaf["rounds"] > 0, "decided without a round")
    tallies = [audit.tallies[leaf["segment"]].get(number) for number in range(min(leaf["rounds"], 99))]
    need(all(tallies), "one of its rounds was not recomputed")
    base = rational(audit.params["base_rate"])
    # Each round's posterior holds the prior once; dividing it out leaves the evidence of the round, which multiplies.
    prior = odds = base / (1 - base)
    for tally in tallies:
        odds = (
            math.inf
            if tally["posterior"] == 1 or odds == math.inf
            else odds * tally["posterior"] / (1 - tally["posterior"]) / prior
        )
    posterior = Fraction(1) if odds == math.inf else odds / (1 + odds)
    word = adjudicated_word(audit, leaf, tallies[-1]) if leaf["adjudicated"] else None
    if word in ("pass", "fail") and "adjudicator_error" in audit.params:
        error = rational(audit.params["adjudicator_error"])
        posterior = 1 - error if word == "pass" else error
    need(word in (None, leaf["outcome"]), f"the adjudicator said {word}")
    need(
        rational(leaf["posterior"]) == rounded(posterior),
        f"the posterior is {float(posterior)}, stated {leaf['posterior']}",
    )
    audit.posteriors[leaf["segment"]] = posterior
    need(leaf["paper_outcome"] == tallies[-1]["paper"], "the paper's outcome is not that of the last round")
    refuted = leaf["outcome"] != "pass" and any(tally["tier"] == "computer" and tally["fails"] for tally in tallies)
    need(leaf["refuted"] == refuted, "whether a checker refuted it is misstated")
    line = audit.segments[audit.position[leaf["segment"]]]
    need(rational(leaf["weight"]) == rational(line["weight"]), "the weight is not the one that audit.open fixed")
    if word:
        return f"{word}, the adjudicator's word, at {float(posterior):.4f}"
    decided = [tally for tally in tallies if tally["outcome"] in ("pass", "fail")]
    need({tally["outcome"] for tally in decided} == {leaf["outcome"]}, "the rounds do not lead to this outcome")
    tiers = {line["tier"], *line["secondaries"]} - {tally["tier"] for tally in tallies}
    confirmed = audit.params.get("escalation") != "confirm" or len(decided) > 1 or not tiers
    need(confirmed, "the policy demands a confirmation by a second tier")
    return leaf["outcome"]


def adjudicated_word(audit, leaf, last):
    """What the adjudicator's opened vote says; the round must have been opened for an adjudicator, with one seat."""
    asked = any(
        escalation["to"] == "adjudicator" for escalation in audit.of("escalation", leaf["segment"], leaf["rounds"] - 2)
    )
    need(asked and last["k"] == 1, "nobody was asked to adjudicate")
    return "undecided" if last["passes"] == last["fails"] else "pass" if last["passes"] > last["fails"] else "fail"


def check_trace(audit):
    """The trace's outcome under the binding rule, and the paper's W against beta."""
    stated, params = audit.outcome, audit.params
    outcomes = {leaf["segment"]: leaf for leaf in audit.by_type["segment.outcome"]}
    basis = [line["segment"] for line in audit.segments if line["basis"] and line["segment"] in outcomes] or list(
        outcomes
    )
    total = sum((rational(leaf["weight"]) for leaf in outcomes.values()), start=Fraction(0))
    passed = sum(
        (rational(leaf["weight"]) for leaf in outcomes.values() if leaf["paper_outcome"] == "pass"), start=Fraction(0)
    )
    required = rational(params["beta"]) * total
    paper = "undecided" if not outcomes else "pass" if passed >= required - Fraction(1, 10**9) else "fail"
    rested = [outcomes[key] for key in basis or outcomes]
    posterior = trace_posterior(audit, rested)
    outcome, score = trace_rule(audit, rested, (posterior, paper, passed / total if total else Fraction(0)))
    if any(leaf["refuted"] for leaf in rested):
        outcome, posterior = "fail", Fraction(0)
    need(stated["rule"] == params["trace_rule"], "the rule is not the policy's")
    recomputed = (outcome, paper, rounded(posterior), rounded(score), rounded(passed), rounded(required))
    names = ("posterior", "score", "weight_passed", "weight_needed")
    claimed = (stated["outcome"], stated["paper_outcome"], *(rational(stated[name]) for name in names))
    need(recomputed == claimed, f"recomputed {describe(recomputed)}, stated {describe(claimed)}")
    return f"{outcome} at {float(posterior):.4f}; the paper's rule: {paper}"


def trace_posterior(audit, rested):
    base, free = rational(audit.params["base_rate"]), rational(audit.params["trace_base_rate"])
    if not rested:
        return free
    spread = 1 - (1 - free) / len(rested)
    shift = spread / (1 - spread) / (base / (1 - base))
    need(all(leaf["segment"] in audit.posteriors for leaf in rested), "a segment was not recomputed")
    exact = [audit.posteriors[leaf["segment"]] for leaf in rested]
    moved = math.prod((p * shift / (p * shift + 1 - p) for p in exact), start=Fraction(1))
    return min([moved, *exact, *(rational(leaf["soundness"]) for leaf in rested if "soundness" in leaf)])


def trace_rule(audit, rested, figures):
    posterior, paper, share = figures
    rule, exact = audit.params["trace_rule"], [audit.posteriors[leaf["segment"]] for leaf in rested]
    if not rested:
        return "undecided", Fraction(0)
    if rule == "weighted":
        return paper, share
    if rule == "all_pass":
        words = {leaf["outcome"] for leaf in rested}
        passes = Fraction(sum(leaf["outcome"] == "pass" for leaf in rested), len(rested))
        return ("fail" if "fail" in words else "pass" if words == {"pass"} else "undecided"), passes
    if rule == "minimum":
        return by_thresholds(audit.params, min(exact)), min(exact)
    need(rule == "noisy_and", f"unknown trace rule {rule}")
    return by_thresholds(audit.params, posterior), math.prod(exact, start=Fraction(1))


def by_thresholds(params, probability):
    costs = [params[f"cost_{name}"] for name in ("review", "miss", "false_alarm")]
    need(all(rational(cost) > 0 and "/" not in cost for cost in costs), "a cost is no positive decimal number")
    review, miss, alarm = map(Decimal, costs)
    if probability >= Fraction(1 - review / miss):  # 28 digits, as the policy states its thresholds
        return "pass"
    return "fail" if probability <= Fraction(review / alarm) else "undecided"


# -- gold, reputation, points ---------------------------------------------------------------------------------------


def check_gold(audit, leaf):
    line = audit.segments[audit.position[leaf["segment"]]]
    message = pad32("TRUST/gold/v1") + uuid.UUID(leaf["segment"]).bytes + leaf["truth"].encode()
    digest = hmac.digest(unhex(leaf["salt"]), message, "sha256").hex()
    need(digest == line["gold"], "what was known beforehand is not what audit.open fixed")
    return leaf["truth"]


def is_correct(audit, segment, word, truth):
    """True or False against `truth` (pass or fail), None for an abstention or without a truth."""
    return None if word == "abstain" or truth not in ("pass", "fail") else word == truth


def vote_of(audit, segment, number, auditor):
    """(seat, word or "silent", whether it had a vote to answer for) of an auditor in a round."""
    for _, seat, name, opening, _ in seats_of(audit, segment, number):
        if name == auditor:
            return seat, WORDS[opening["vote"]] if opening else "silent"
    raise CheckFailedError(f"auditor {auditor[:16]} held no seat in this round")


def final_word(audit, segment, index):
    """The outcome that stood when leaf `index` was written: a successor audit may have taken the first one back."""
    later = [leaf for leaf in audit.by_type["outcome.rollback"] if leaf["segment"] == segment and leaf["index"] < index]
    if later:
        return later[-1].get("outcome", "none")
    return next((leaf["outcome"] for leaf in audit.by_type["segment.outcome"] if leaf["segment"] == segment), "none")


def check_rollback(audit, leaf):
    need(audit.outcome and audit.outcome["index"] < leaf["index"], "an outcome was taken back before there was one")
    stands = leaf.get("outcome", "nothing")
    before = final_word(audit, leaf["segment"], leaf["index"])
    need(stands != before, f"{before} was taken back for {stands}")
    return f"{stands} stands instead of {before}, by a successor audit, whose own bundle shows it"


def check_reputation(audit, leaf):
    """after = (1 - g) prior + g correct, exactly, prior rounded to .01 as published."""
    prior, gamma = rational(leaf["prior"]), rational(audit.params["gamma"])
    need((prior * 100).denominator == 1 and 0 <= prior <= 1, "the prior is not rounded to .01")
    _, word = vote_of(audit, leaf["segment"], leaf["round"], leaf["auditor"])
    gold = audit.truth.get(leaf["segment"], "none")
    truth = gold if leaf["column"] == "gold" else final_word(audit, leaf["segment"], leaf["index"])
    correct = False if word == "silent" else is_correct(audit, leaf["segment"], word, truth)
    need(correct == leaf["correct"], f"the vote was {word}, the truth {truth}")
    # exponential smoothing
    after = (1 - gamma) * prior + gamma * leaf["correct"]
    need(after == rational(leaf["after"]), f"the step leads to {float(after)}, stated {leaf['after']}")


def check_payout(audit, leaf):
    """Every line follows from the vote, the truth, the policy and the seeded slash draw; all sum to zero."""
    need(leaf["pool"] + sum(line["points"] for line in leaf["lines"]) == 0, "the postings do not sum to zero")
    skipped = 0
    for line in leaf["lines"]:
        seat, word = vote_of(audit, leaf["segment"], leaf["round"], line["auditor"])
        need(seat == line["seat"], f"the line of seat {line['seat']} names another auditor")
        if line["posting"] in ("reward", "slash", "no_show"):
            wanted = points_of(audit, leaf, (seat, line["auditor"], word))
            stated = (line["posting"], line["points"])
            need(stated == wanted, f"seat {seat}: {stated[0]} {stated[1]} stated, {wanted[0]} {wanted[1]} recomputed")
        else:
            skipped += 1
    return f"{skipped} lines (agreement bonus, release, reversal) not recomputed" if skipped else ""


def points_of(audit, leaf, who):
    """(posting, points) that a seat earned, by what stood when `leaf` was written."""
    seat, auditor, word = who
    segment = leaf["segment"]
    params = audit.params
    if word == "silent":
        silent = [
            silence for leaf in audit.by_type["vote.noreveal"] for silence in leaf["seats"] if silence["seat"] == seat
        ]
        need(all(silence["reason"] == "silent" for silence in silent), f"seat {seat} was given back, and is no no-show")
        return "no_show", -params["no_show_penalty"]
    gold = audit.truth.get(segment, "none")
    correct = is_correct(audit, segment, word, gold if gold != "none" else final_word(audit, segment, leaf["index"]))
    if correct is None:
        return "nothing", 0
    if correct:
        return "reward", params["reward"]
    if gold != "none":
        return "slash", -params["honeypot_multiplier"] * params["penalty"]
    low, high = rational(params["slash_min"]), rational(params["slash_max"])
    share = low + (high - low) * (1 - rational(audit.eligible[auditor]["reputation"]))
    # a wrong vote is slashed with probability `share`; the seed decides, so nobody can choose the victims
    drawn = int.from_bytes(sha(pad32("TRUST/slash/v1"), unhex(audit.outcome["seed"]), uuid.UUID(seat).bytes)[:8])
    return "slash", -params["penalty"] if drawn < share * 2**64 // 1 else 0


# -- all together ---------------------------------------------------------------------------------------------------


def verify(data, vkey=None):
    """The report on a bundle's bytes. Raises Unreadable."""
    try:
        bundle = strict_json(data.decode("utf-8"))
        if bundle["format"] != FORMAT:
            raise ValueError(f"format {bundle['format']!r}")
        audit = Audit(bundle)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(
            f"this is not a bundle of format {FORMAT}: {type(error).__name__} {error}"[:300]
        ) from None
    report = Report()
    if vkey:
        report.run("the key is the one that you gave", lambda: need(vkey == bundle["vkey"], "it is another key"))
    head = report.run("signature of the checkpoint", open_note, bundle["checkpoint"], bundle["vkey"])
    if head:
        report.run("inclusion of every leaf", check_inclusion, bundle, head)
        if "later" in bundle:
            report.run("a later checkpoint continues this one", check_later, bundle, head)
    report.run("form of every leaf", check_forms, bundle, audit)
    report.run("lists of segments and of eligible auditors", check_rosters, audit)
    if audit.outcome and head:
        report.run("seed of the draw", check_seed, audit, head)
    try:
        check_story(report, audit)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        report.lines.append(
            (False, "the rest", f"not checked, a leaf is malformed: {type(error).__name__} {error}"[:300])
        )
    return report


def check_later(bundle, head):
    later = open_note(bundle["later"]["checkpoint"], bundle["vkey"])
    check_consistency(head, later, [b64(sibling) for sibling in bundle["later"]["consistency"]])
    return f"{head[0]} -> {later[0]} leaves"


def check_story(report, audit):
    """Draws, rounds, segments, trace, gold, reputation, points, each under its own title."""
    for leaf in draws_of(audit) if audit.seed else ():
        if not is_open(audit, leaf):
            report.run(f"{place_of(audit, leaf)}: draw {leaf['draw']}", check_draw, audit, leaf)
    for leaf in audit.by_type["round.open"]:
        check_round(report, audit, leaf)
    for leaf in audit.by_type["segment.outcome"]:
        report.run(f"{place_of(audit, leaf)}: outcome", check_segment, audit, leaf)
    if audit.outcome:
        report.run("outcome of the trace", check_trace, audit)
    for leaf_type, title, check in AFTERWARDS:
        for leaf in audit.by_type[leaf_type]:
            who = f" of auditor {leaf['auditor'][:8]}" if "auditor" in leaf else ""
            report.run(f"{place_of(audit, leaf)}: {title}{who}", check, audit, leaf)


AFTERWARDS = (
    ("gold.reveal", "gold", check_gold),
    ("outcome.rollback", "outcome taken back", check_rollback),
    ("payout", "points", check_payout),
    ("reputation.update", "reputation step", check_reputation),
)


def check_round(report, audit, leaf):
    if is_open(audit, leaf):
        report.lines.append((True, place_of(audit, leaf), "still open: nothing to check yet"))
        return
    report.run(f"{place_of(audit, leaf)}: sealed votes", check_openings, audit, leaf["segment"], leaf["round"])
    report.run(f"{place_of(audit, leaf)}: tally", check_tally, audit, leaf["segment"], leaf["round"])


def is_open(audit, leaf):
    """Whether an unfinished audit still waits for this round's tally."""
    return not audit.outcome and not audit.of("outcome.preliminary", leaf["segment"], leaf["round"])


def place_of(audit, leaf):
    """A segment as a person counts them."""
    number = audit.position.get(leaf["segment"])
    name = f"segment {leaf['segment'][:8]}" if number is None else f"segment {number + 1}"
    return f"{name}, round {leaf['round']}" if "round" in leaf else name


def main(arguments=None):
    """Command line."""
    parser = argparse.ArgumentParser(description="Check an audit bundle offline.")
    parser.add_argument("bundle")
    parser.add_argument("--vkey", help="the ledger's key, from a source other than the bundle")
    parser.add_argument("--json", action="store_true", help="a report for machines")
    options = parser.parse_args(arguments)
    try:
        with open(options.bundle, "rb") as file:
            report = verify(file.read(), options.vkey)
    except (OSError, UnreadableError) as error:
        print(f"Cannot read {options.bundle}: {error}", file=sys.stderr)
        return 2
    if options.json:
        checks = [{"ok": good, "check": title, "note": note} for good, title, note in report.lines]
        print(json.dumps({"ok": report.ok, "checks": checks, "not_checked": CANNOT}, indent=1))
    else:
        print(report.text())
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
