"""/api/v1/audits/<id>/soundness: ask for the soundness of a trace's claims, follow the job, read the certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, DecimalNumberField, read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.permissions import may_ask_soundness
from auditing.research.policy_lab.selectors.model_calls import forecast_soundness
from auditing.research.soundness.core.second_look import Premises
from auditing.research.soundness.services import runs
from auditing.selectors.intake.lookup import find_audit
from auditing.selectors.soundness import askable_endpoints, newest_run, soundness_of

if TYPE_CHECKING:
    from auditing.models import Audit


class SoundnessAsked(serializers.Serializer[Any]):
    """Names of endpoints, none for the computer tier alone; which premises a claim may lean on."""

    endpoints = serializers.ListField(child=serializers.CharField(max_length=60), required=False, max_length=20)
    premises = ChoiceField(choices=[str(mode) for mode in Premises], required=False)
    limit_money = DecimalNumberField(
        max_digits=12, decimal_places=4, min_value=0, required=False, allow_null=True, help_text="Of this run."
    )


class AuditSoundness(APIView):
    """Soundness of one audit's trace."""

    permission_classes = [role_permission(Role.PROVIDER, Role.RESEARCHER, Role.ADMIN)]
    scope = Scope.TRACES

    @extend_schema(operation_id="soundness_read", responses={200: dict})
    def get(self, request: Request, audit_id: UUID) -> Response:
        """The newest run, and the newest certificate with its claims."""
        return Response(_shown(_find(request, audit_id)))

    @extend_schema(operation_id="soundness_ask", request=SoundnessAsked, responses={202: dict})
    @idempotent
    def post(self, request: Request, audit_id: UUID) -> Response:
        """Ask for a run; the open one answers if there is one."""
        audit = _find(request, audit_id)
        asked = read_body(SoundnessAsked, request)
        names = asked.get("endpoints", [])
        rows = {row.name: row for row in askable_endpoints(audit=audit)}
        # An endpoint that exists but may not see this trace is refused in the same words as one that does not exist.
        if unknown := [name for name in names if name not in rows]:
            raise ValidationError({"endpoints": [f"{unknown[0]} may not be asked about this trace."]})
        try:
            runs.ask(
                audit=audit,
                owner=get_person(request),
                endpoints=[rows[name] for name in dict.fromkeys(names)],
                premises=Premises(asked.get("premises", Premises.DECLARED_FIRST)),
                limit_money=asked.get("limit_money"),
            )
        except runs.SoundnessRefusedError as error:
            raise ValidationError({"detail": str(error)}) from None
        # 202: the run is queued, not done; the same address is polled for its result.
        return Response(_shown(audit), status=202)


def _find(request: Request, audit_id: UUID) -> Audit:
    audit = find_audit(key=audit_id)
    if audit is None or not may_ask_soundness(user=request.user, audit=audit):
        raise Http404
    return audit


def _shown(audit: Audit) -> dict[str, Any]:
    job, certificate = newest_run(audit=audit), soundness_of(audit=audit)
    state = None
    if job is not None:
        state = {"id": job.pk, "state": job.state, "done": job.share, "says": job.says, "error": job.error}
        state |= {"partial": job.is_partial, "counts": job.counts}
    claims = {label: claim.as_json() for label, claim in certificate.claims.items()} if certificate else {}
    forecasts = forecast_soundness(audit=audit, endpoints=askable_endpoints(audit=audit))
    return {
        "run": state,
        "certificate": certificate.as_json() if certificate else None,
        "claims": claims,
        "forecast": [forecast.as_json() for forecast in forecasts],
    }
