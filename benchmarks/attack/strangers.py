"""What somebody without a login tries. Each function is one number of docs/threats.md."""

import secrets
from uuid import uuid4

import httpx

from benchmarks.attack.visitor import AttackSkippedError, Target, expect, refuse

# Pages that everybody may read; every other address asks for a login or does not exist for a stranger.
OPEN_TO_ALL = {"/", "/ledger", "/verify", "/accounts/login/", "/healthz", "/api/schema", "/api/docs", "/join"}
CLOSED = (
    "/desk /desk/openings /record /calibration /gold /audits /submit /campaigns /campaigns/new /people /people/joining "
    "/me /me/tokens /research /research/exports /research/votes /research/agreement /research/outcomes "
    "/research/studies /research/rado /research/causal /home /scratchpad /policies/new /api/v1/traces /api/v1/audits "
    "/api/v1/endpoints /api/v1/exports /api/v1/desk/next"
).split()
HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "",
    "cross-origin-opener-policy": "same-origin",
}
BAD_CIDS = (
    "Qm" + "a" * 44,
    "BAFKREI" + "A" * 52,
    "bafkrei",
    "bafkrei" + "a" * 51 + "!",
    "..%2f..%2fetc%2fpasswd",
    "bafyrei" + "a" * 52,
)


def guess_audits(target: Target) -> None:
    """3: trace, graph and report of an audit by a guessed id."""
    visitor = target.stranger()
    for tail in ("", "/graph", "/report", "/report.json"):
        expect(visitor.get(f"/audits/{uuid4()}{tail}"), 302, 401, 403, 404)


def open_every_door(target: Target) -> None:
    """9: every address without a login."""
    visitor = target.stranger()
    for path in CLOSED:
        answer = expect(visitor.get(path), 301, 302, 401, 403, 404, 405)
        if answer.is_redirect:
            to = answer.headers["location"]
            refuse("/accounts/login" not in to and not to.endswith("/"), f"{path} leads a stranger to {to[:80]}")


def try_the_admin_site(target: Target) -> None:
    """10: Django's own sign-in, which asks no second factor."""
    answer = target.stranger().get("/admin/login/")
    refuse(answer.status_code == 200 and 'name="password"' in answer.text, "/admin/login/ asks for a password itself")


def put_a_token_in_the_address(target: Target) -> None:
    """11: a token where logs and referrers would keep it."""
    for name in ("token", "access_token", "api_key"):
        expect(target.stranger().get(f"/api/v1/audits?{name}=trust_{secrets.token_hex(16)}"), 400, 401, 403)


def tell_logins_apart(target: Target) -> None:
    """12: known and unknown logins get the same page."""
    pages = []
    for email in (target.provider.email, f"{secrets.token_hex(6)}@nobody.example"):
        visitor = target.stranger()
        answer = visitor.form("/accounts/login/", {"login": email, "password": secrets.token_hex(8)})
        if answer.status_code == 429:
            raise AttackSkippedError("sign-in is limited already; wait some minutes")
        pages.append(_without_what_varies(answer, email))
    refuse(pages[0] != pages[1], "the sign-in page tells a known address from an unknown one")


def name_a_foreign_host(target: Target) -> None:
    """13: a Host header that is not ours."""
    expect(target.stranger().get("/accounts/password/reset/", headers={"Host": "evil.example"}), 400, 404, 421)


def lead_away_after_sign_in(target: Target) -> None:
    """14: next= an address elsewhere."""
    for where in ("//evil.example", "https://evil.example/", "javascript:alert(1)", "/\\evil.example"):
        visitor = target.stranger()
        fields = {"login": target.provider.email, "password": target.provider.password, "next": where}
        answer = visitor.form("/accounts/login/", fields)
        if answer.status_code == 429:
            raise AttackSkippedError("sign-in is limited already; wait some minutes")
        to = answer.headers.get("location", "")
        refuse("evil.example" in to or to.startswith("javascript"), f"sign-in leads to {to[:80]}")


def read_the_headers(target: Target) -> None:
    """18: every kind of answer carries the headers that close it."""
    visitor = target.stranger()
    for path in ("/", "/ledger", "/accounts/login/", "/no-such-page", "/api/v1/audits", "/healthz"):
        answer = visitor.get(path)
        for name, words in HEADERS.items():
            refuse(words not in answer.headers.get(name, "\0"), f"{path} lacks {name} with {words!r}")
        policy = answer.headers["content-security-policy"]
        refuse("unsafe-inline" in policy or "unsafe-eval" in policy, f"{path} allows inline script or eval")


def read_stored_files_raw(target: Target) -> None:
    """53: bad content addresses at the gateway."""
    for cid in BAD_CIDS:
        answer = expect(target.stranger().get(f"/ipfs/{cid}"), 400, 404, 406)
        refuse("text/html" in answer.headers.get("content-type", "") and cid in answer.text, "the gateway echoes HTML")


def forge_an_address_to_be_quick(target: Target) -> None:
    """57: many sign-ins, each claiming another address."""
    statuses = set()
    for number in range(40):
        visitor = target.stranger()
        visitor.client.headers["X-Forwarded-For"] = f"198.51.100.{number}"
        fields = {"login": f"nobody{number}@nobody.example", "password": "wrong"}
        answer = visitor.form("/accounts/login/", fields)
        statuses.add(answer.status_code)
        if answer.status_code == 429 or "Too many" in answer.text:
            return
    refuse(True, f"40 sign-ins from one machine were all answered ({sorted(statuses)})")


def forge_a_log_line(target: Target) -> None:
    """59: line breaks in what a client says of itself."""
    for value in ("a\tb", "x" * 4_000, "%0d%0aSet-Cookie: a=b"):
        answer = target.stranger().get("/no-such-page", params={"q": value[:200]}, headers={"User-Agent": value})
        expect(answer, 404)
        refuse("a=b" in answer.headers.get("set-cookie", ""), "a parameter became a header")


def list_folders(target: Target) -> None:
    """60: folders, sources and the inside of a fault."""
    for path in ("/static/", "/.git/config", "/.env", "/settings.py", "/media/", "/static/../manage.py", "/.run/"):
        answer = expect(target.stranger().get(path), 400, 403, 404)
        refuse("Traceback" in answer.text or "Index of" in answer.text, f"{path} shows the inside")


def ask_with_a_foreign_origin(target: Target) -> None:
    """16: the live socket opened from another site."""
    visitor = target.stranger()
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    for origin in ("https://evil.example", "null", ""):
        answer = visitor.get("/ws/live", headers={**upgrade, **({"Origin": origin} if origin else {})})
        refuse(answer.status_code == 101, f"a socket was opened for the origin {origin or 'none'!r}")


def _without_what_varies(answer: httpx.Response, email: str) -> str:
    lines = answer.text.replace(email, "EMAIL").splitlines()
    # The demo's own sign-in page names its logins on buttons, to everybody.
    varies = ("csrf", "CSRF", "nonce", "data-now", '<button class="button" name="login"')
    shown = [line for line in lines if not any(word in line for word in varies)]
    return f"{answer.status_code}\n" + "\n".join(shown)


ATTACKS = {
    3: guess_audits,
    9: open_every_door,
    10: try_the_admin_site,
    11: put_a_token_in_the_address,
    12: tell_logins_apart,
    13: name_a_foreign_host,
    14: lead_away_after_sign_in,
    16: ask_with_a_foreign_origin,
    18: read_the_headers,
    53: read_stored_files_raw,
    59: forge_a_log_line,
    60: list_folders,
}
LAST = {57: forge_an_address_to_be_quick}  # it uses up the rate of this machine
