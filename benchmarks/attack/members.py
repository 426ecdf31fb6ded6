"""What somebody with a login tries beyond what is theirs. Each function is one number of docs/threats.md."""

import base64
import io
import json
import re
import secrets
import zipfile
from typing import Any
from uuid import uuid4

from benchmarks.attack.visitor import AttackSkippedError, Target, Visitor, expect, fresh_commitment, refuse

_HOSTILE = ("'", "1' OR '1'='1", "-1", "99999999999999999999", "\x00", "9999-99-99", "../..", "%", "é" * 300)
_ADDRESSES = (
    "/audits?q={}&page={}&domain={}",
    "/campaigns?page={}",
    "/record?upto={}",
    "/ledger?page={}",
    "/api/v1/audits?cursor={}&limit={}&order_by={}",
)
_SCRIPTS = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> <svg onload=alert(3)>",
    "[a](javascript:alert(4)) <form action=//evil.example><base href=//evil.example> <a hx-get=//evil.example>b</a>",
    r"$\href{javascript:alert(5)}{a} \includegraphics{//evil.example/a.png} \htmlData{a=b}{c}$",
    r"$" + r"\def\a{\a\a}\a" + "$ $" + "{" * 5_000 + "}" * 5_000 + "$",
    "a\u202eb\u200bc " + "e\u0301" * 3_000,
)


def guess_seats(target: Target) -> None:
    """1: another reviewer's seat answers like an unknown one."""
    reviewer = target.member(target.reviewers[0])
    body = {"commitment": fresh_commitment(), "rationale_digest": fresh_commitment(), "sealed": _sealed()}
    expect(reviewer.post(f"/api/v1/seats/{uuid4()}/commitment", body), 404)
    theirs = _seat(target, 1)
    expect(reviewer.post(f"/api/v1/seats/{theirs}/commitment", body), 404)
    expect(reviewer.post(f"/api/v1/seats/{theirs}/pass", {"because": "tired"}), 400, 404)


def try_many_ids(target: Target) -> None:
    """4: a program that guesses ids is stopped."""
    reviewer = target.member(target.reviewers[1])
    statuses = [reviewer.get(f"/api/v1/audits/{uuid4()}").status_code for _ in range(45)]
    refuse(429 not in statuses, f"45 guessed ids were all answered ({sorted(set(statuses))})")


def add_fields(target: Target) -> None:
    """6: fields that only the site may set."""
    seat = _seat(target, 0)
    body = {"commitment": fresh_commitment(), "rationale_digest": fresh_commitment(), "sealed": _sealed(), "weight": 9}
    expect(target.member(target.reviewers[0]).post(f"/api/v1/seats/{seat}/commitment", body), 400)


def forge_forms(target: Target) -> None:
    """15: a change without the token of our own pages, and by GET."""
    reviewer = target.member(target.reviewers[0])
    expect(reviewer.form("/me", {"pseudonym": "forged"}, is_ours=False), 403)
    expect(reviewer.form("/accounts/logout/", {}, is_ours=False), 403)
    expect(reviewer.get(f"/api/v1/seats/{uuid4()}/commitment"), 405)
    expect(reviewer.get(f"/desk/{uuid4()}/decline"), 404, 405)


def keep_an_old_cookie(target: Target) -> None:
    """19: cookies closed to scripts and sites; worth nothing after signing out."""
    reviewer = target.member(target.reviewers[0])
    login = reviewer.get("/accounts/login/")
    kept = dict(reviewer.client.cookies)
    name = next((name for name in kept if "session" in name), "")
    refuse(not name, "there is no session cookie after signing in")
    reviewer.form("/accounts/logout/", {})
    thief = target.stranger()
    thief.client.cookies.update(kept)
    expect(thief.get("/me"), 302, 401, 403)
    refuse("document.cookie" in login.text, "a page reads cookies by script")


def store_a_private_page(target: Target) -> None:
    """20: what somebody signed in sees is stored by no cache."""
    reviewer = target.member(target.reviewers[0])
    for path in ("/me", "/record", "/desk", "/api/v1/audits"):
        answer = expect(reviewer.get(path), 200, 403, 405)
        refuse("no-store" not in answer.headers.get("cache-control", ""), f"{path} may be stored")


def commit_rubbish(target: Target) -> None:
    """21: commitments that are not 32 bytes of lower-case hex."""
    seat = _seat(target, 0)
    reviewer = target.member(target.reviewers[0])
    for text in ("", "0" * 63, "A" * 64, "0" * 64, "g" * 64, None, 7, ["a"] * 64):
        body = {"commitment": text, "rationale_digest": fresh_commitment(), "sealed": _sealed()}
        expect(reviewer.post(f"/api/v1/seats/{seat}/commitment", body), 400)


def send_ambiguous_json(target: Target) -> None:
    """28: JSON that two readers read differently."""
    seat = _seat(target, 0)
    reviewer = target.member(target.reviewers[0])
    good = fresh_commitment()
    for body in (
        f'{{"commitment": "{good}", "commitment": "{fresh_commitment()}"}}',
        '{"commitment": NaN}',
        '{"raw_ms": 1e999}',
        "{" * 100_000,
        "[" * 100_000,
        "\ufeff{}x",
    ):
        expect(reviewer.post(f"/api/v1/seats/{seat}/commitment", body.encode()), 400)


def repeat_a_request(target: Target) -> None:
    """29: the key of a repeated request with another body."""
    provider = target.member(target.provider)
    key, campaign = secrets.token_hex(12), _campaign(provider)
    first = expect(provider.post("/api/v1/traces", _trace("one") | campaign, **{"Idempotency-Key": key}), 200, 201, 202)
    again = expect(provider.post("/api/v1/traces", _trace("one") | campaign, **{"Idempotency-Key": key}), 200, 201, 202)
    refuse(first.json() != again.json(), "the repeat got another answer")
    expect(provider.post("/api/v1/traces", _trace("two") | campaign, **{"Idempotency-Key": key}), 422)


def hand_in_hostile_text(target: Target) -> None:
    """32 to 39: markup, formulas and invisible characters in a trace."""
    provider = target.member(target.provider)
    campaign = _campaign(provider)
    for text in _SCRIPTS:
        trace = campaign | {**_trace(secrets.token_hex(4)), "steps": [text, "2 + 2 = 4"]}
        answer = expect(provider.post("/api/v1/traces", trace), 200, 201, 202)
        audit = answer.json().get("audit") or answer.json().get("id")
        for page in (f"/audits/{audit}", f"/audits/{audit}/graph"):
            shown = expect(provider.get(page), 200, 302)
            for harm in ("<script>alert", "<img src=x", "<svg onload", 'href="javascript', "<base href", "<a hx-get"):
                refuse(harm in shown.text, f"{page} carries {harm!r} as markup")


def hand_in_a_nul(target: Target) -> None:
    """39: a NUL, and half a character."""
    provider = target.member(target.provider)
    expect(provider.post("/api/v1/traces", {**_trace("nul"), "steps": ["a\x00b"]}), 400)
    expect(provider.post("/api/v1/traces", rb'{"problem": "\ud800", "steps": ["a"]}'), 400)


def upload_bad_files(target: Target) -> None:
    """47 and 48: archives, wrong endings, wrong encodings, enormous lines."""
    provider = target.member(target.provider)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../x", b"0" * 5_000_000)
    line = json.dumps(_trace("file")).encode()
    for name, data in {
        "traces.zip": held.getvalue(),
        "traces.jsonl": held.getvalue(),
        "utf16.jsonl": line.decode().encode("utf-16"),
        "cut.jsonl": line[:-5],
        "latin.jsonl": b'{"problem": "\xe9"}',
        "brackets.jsonl": b"[" * 200_000,
        "program.exe": line,
    }.items():
        answer = provider.form("/submit", {}, files={"file": (name, data)})
        expect(answer, 200, 400, 413, 415, 422)
        refuse("Traceback" in answer.text, f"{name} shows the inside")


def send_strange_bodies(target: Target) -> None:
    """49 and 50: nested, compressed and crowded bodies."""
    provider = target.member(target.provider)
    expect(provider.post("/api/v1/traces", b"[" * 100_000), 400)
    expect(
        provider.post("/api/v1/traces", b"\x1f\x8b" + secrets.token_bytes(200), **{"Content-Encoding": "gzip"}),
        400,
        415,
    )
    expect(provider.form("/submit", {f"field{number}": "a" for number in range(1_200)}), 400)
    many = [("file", (f"../../{number}\n.jsonl", b"{}")) for number in range(120)]
    expect(provider.form("/submit", {}, files=many), 400)


def hand_in_twice(target: Target) -> None:
    """51: the same trace again is the same audit."""
    provider = target.member(target.provider)
    trace = _trace(secrets.token_hex(4)) | _campaign(provider)
    answers = [expect(provider.post("/api/v1/traces", trace), 200, 201, 202).json() for _ in range(2)]
    identities = {str(answer.get("audit") or answer.get("id")) for answer in answers}
    refuse(len(identities) != 1, "the same trace became two audits")


def send_hostile_parameters(target: Target) -> None:
    """54 and 56: SQL, impossible pages, dates and ids."""
    admin = target.member(target.admin)
    for address in _ADDRESSES:
        for value in _HOSTILE:
            path, _, query = address.partition("?")
            names = [name.partition("=")[0] for name in query.split("&")]
            expect(admin.get(path, params=dict.fromkeys(names, value)), 200, 302, 400, 403, 404, 405)
    for path in ("/audits/not-an-id", "/audits/00000000-0000-0000-0000-000000000000", "/policies/999999999999"):
        expect(admin.get(path), 404)


def publish_impossible_policies(target: Target) -> None:
    """62: policies that cannot be."""
    admin = target.member(target.admin)
    for fields in ({"human.k": "0"}, {"human.tau": "0"}, {"human.k": "-1"}, {"human.eps": "2"}, {"human.k": "1e9"}):
        answer = expect(admin.form("/policies/new", fields), 200, 400, 422)
        refuse(answer.is_redirect, f"the policy {fields} was published")


def _seat(target: Target, number: int) -> str:
    answer = expect(target.member(target.reviewers[number]).post("/api/v1/desk/next"), 200).json()
    if not answer["seat"]:
        raise AttackSkippedError(f"{target.reviewers[number].email} has no seat at the moment: {answer['text']}")
    return str(answer["seat"])


def _sealed() -> str:
    return base64.b64encode(secrets.token_bytes(200)).decode()


def _campaign(provider: Visitor) -> dict[str, Any]:
    """The first campaign that the provider's form offers: nobody chooses one where several are open."""
    offered = re.search(r'<option value="([0-9a-f-]{36})"', expect(provider.get("/submit"), 200).text)
    return {"campaign": offered[1]} if offered else {}


def _trace(mark: str) -> dict[str, Any]:
    return {"problem": f"Attack {mark}: what is 2 + 2?", "steps": ["2 + 2 = 4."], "answer": "4"}


ATTACKS = {
    1: guess_seats,
    6: add_fields,
    15: forge_forms,
    19: keep_an_old_cookie,
    20: store_a_private_page,
    21: commit_rubbish,
    28: send_ambiguous_json,
    29: repeat_a_request,
    32: hand_in_hostile_text,
    39: hand_in_a_nul,
    47: upload_bad_files,
    49: send_strange_bodies,
    51: hand_in_twice,
    54: send_hostile_parameters,
    62: publish_impossible_policies,
}
LAST = {4: try_many_ids}  # it shuts this reviewer out for a minute
