"""The page where anybody drops a receipt, a bundle or a proof, and the downloads that may be dropped there."""

import json
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_safe

from accounts.parameters import read_text
from accounts.permissions import Role, requires_role
from auditing.permissions import may_read_audit
from auditing.research.ledger_checks.selectors.bundle_files import NotVerifiableError
from auditing.research.ledger_checks.selectors.verifying import LARGEST, examine, find_promised
from auditing.selectors.clock import database_now
from auditing.selectors.intake.lookup import find_audit
from auditing.selectors.ledger.published import ledger_keys, receipt_keys
from auditing.translog import receipt

PROGRAMS = Path(settings.BASE_DIR) / "auditing" / "verifier"


@require_http_methods(["GET", "HEAD", "POST"])
def verify_page(request: HttpRequest) -> HttpResponse:
    """Drop or paste, and read step by step what holds; the browser checks the same beside the server."""
    # Old keys too: a receipt of last year was signed by the key of last year.
    of_receipts = [key.vkey for key in receipt_keys()]
    context: dict[str, object] = {
        "ledger_keys": json.dumps([key.vkey for key in ledger_keys()]),
        "receipt_keys": json.dumps(of_receipts),
        "receipt_key": of_receipts[0] if of_receipts else "",
    }
    status = 200
    if request.method == "POST":
        try:
            context["found"] = examine(data=_handed_in(request), now=database_now())
        except NotVerifiableError as error:
            context["trouble"], status = str(error), 400
    # htmx asks with this target. It swaps in no answer of status 400, so a refusal travels with 200.
    if request.htmx.target == "on-server":  # type: ignore[attr-defined]
        return render(request, "auditing/ledger/_found.html", context)
    return render(request, "auditing/ledger/verify.html", context, status=status)


def _handed_in(request: HttpRequest) -> bytes:
    """The file, else the pasted text. Raises NotVerifiableError."""
    file = request.FILES.get("file")
    if file is not None:
        if (file.size or 0) > LARGEST:
            raise NotVerifiableError("The file is larger than 4 MiB: run the verifier on your own machine.")
        return bytes(file.read())
    # Browsers send CRLF, but signed notes end their lines in LF: the bytes that were signed must come back.
    text = read_text(request.POST, "text", most=LARGEST).replace("\r\n", "\n")
    if not text.strip():
        raise NotVerifiableError("Choose a file or paste its text first.")
    return (text.strip() + "\n").encode("utf-8", "replace")


@require_safe
def promised_place(request: HttpRequest, kind: str, subject: UUID) -> JsonResponse:
    """Where the leaf stands that a receipt promises: its index, or null while it has none."""
    # Open to everybody: whoever holds a receipt knows the id in it, and learns only a place in the public log.
    if kind not in list(receipt.Kind):
        raise Http404
    leaf = find_promised(kind=kind, subject=subject)
    return JsonResponse({"index": None if leaf is None else leaf.index})


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_safe
def submission_receipt(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The receipt of a trace handed in, for who may always read its audit."""
    audit = find_audit(key=audit_id)
    if audit is None or not audit.receipt or not may_read_audit(user=request.user, audit=audit):
        raise Http404
    return download(audit.receipt.encode(), "text/plain; charset=utf-8", f"receipt-{audit_id}.txt")


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The verifier: one file, nothing of ours but the text of it."""
    return _program("verify_audit.py")


@require_safe
def proof_verifier(request: HttpRequest) -> HttpResponse:
    """What computes the proofs of a computer vote again: one file likewise."""
    return _program("verify_proofs.py")


def _program(name: str) -> HttpResponse:
    # Served from the running program, so that the file a stranger reads is the one our own page uses.
    return download((PROGRAMS / name).read_bytes(), "text/x-python; charset=utf-8", name)


def download(data: bytes, media_type: str, name: str) -> HttpResponse:
    """A file to keep."""
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(data, content_type=media_type, headers={"Content-Disposition": disposition})


urlpatterns = [
    path("verify", verify_page, name="verify"),
    path("verify/verify_audit.py", verifier, name="verifier"),
    path("verify/verify_proofs.py", proof_verifier, name="proof_verifier"),
    path("verify/place/<str:kind>/<uuid:subject>", promised_place, name="promised_place"),
    path("audits/<uuid:audit_id>/receipt", submission_receipt, name="submission_receipt"),
]
