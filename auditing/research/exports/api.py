"""/api/v1/exports: ask for a data set, follow the job, take the file."""

from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Role
from accounts.permissions import role_permission
from auditing.core.values import Outcome, Tier
from auditing.research.exports import services
from auditing.research.exports.formats import DATASETS, ExportRefusedError, Format, Shape
from auditing.research.exports.selectors.scope import Filters
from auditing.research.exports.views import file_of, find_job
from auditing.research.models import ExportJob
from auditing.services import jobs

_MODES = ("any", "only", "without")


class ExportAsked(serializers.Serializer[Any]):
    """What to take out."""

    dataset = serializers.ChoiceField(choices=sorted(DATASETS))
    format = serializers.ChoiceField(choices=[str(member) for member in (*Format, *Shape)])
    with_text = serializers.BooleanField(default=False)
    campaign = serializers.UUIDField(required=False)
    domain = serializers.CharField(required=False, max_length=60)
    policy = serializers.IntegerField(required=False, min_value=1)
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)
    tier = serializers.ChoiceField(required=False, choices=[str(member) for member in Tier])
    outcome = serializers.ChoiceField(required=False, choices=[str(member) for member in Outcome])
    agreement = serializers.ChoiceField(required=False, choices=["unanimous", "split"])
    gold = serializers.ChoiceField(required=False, choices=_MODES)
    simulated = serializers.ChoiceField(required=False, choices=_MODES)
    imported = serializers.ChoiceField(required=False, choices=_MODES)


class ExportShown(serializers.ModelSerializer[ExportJob]):
    """An export and how far it is."""

    class Meta:
        model = ExportJob
        fields = (
            "id",
            "dataset",
            "format",
            "filters",
            "with_text",
            "state",
            "done",
            "rows",
            "size",
            "content_hash",
            "error",
            "created",
            "finished_at",
        )


class ExportList(APIView):
    """Exports of the caller."""

    permission_classes: ClassVar = [role_permission(Role.RESEARCHER, Role.ADMIN)]

    @extend_schema(operation_id="exports_list", responses={200: ExportShown(many=True)})
    def get(self, request: Request) -> Response:
        """The newest 50."""
        exports = ExportJob.objects.filter(owner=request.user).order_by("-created")[:50]  # type: ignore[misc]
        return Response(ExportShown(exports, many=True).data)

    @extend_schema(operation_id="exports_create", request=ExportAsked, responses={201: ExportShown})
    def post(self, request: Request) -> Response:
        """Ask for one."""
        asked = ExportAsked(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        try:
            job = services.ask(
                owner=request.user,
                dataset=values["dataset"],
                format=values["format"],
                filters=Filters.read(values),
                with_text=values["with_text"],
            )
        except ExportRefusedError as error:
            raise serializers.ValidationError({"format": [str(error)]}) from None
        job.refresh_from_db()
        return Response(ExportShown(job).data, status=201)


class ExportDetail(APIView):
    """One export."""

    permission_classes: ClassVar = [role_permission(Role.RESEARCHER, Role.ADMIN)]

    @extend_schema(operation_id="exports_retrieve", responses={200: ExportShown})
    def get(self, request: Request, job_id: UUID) -> Response:
        """How far it is."""
        return Response(ExportShown(find_job(request.user, job_id)).data)

    @extend_schema(operation_id="exports_cancel", request=None, responses={200: ExportShown})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Cancel it."""
        jobs.cancel(job=find_job(request.user, job_id))
        return Response(ExportShown(find_job(request.user, job_id)).data)


class ExportFile(APIView):
    """The file of a finished export; ranges resume."""

    permission_classes: ClassVar = [role_permission(Role.RESEARCHER, Role.ADMIN)]

    @extend_schema(operation_id="exports_file", responses={200: OpenApiTypes.BINARY, 206: OpenApiTypes.BINARY})
    def get(self, request: Request, job_id: UUID) -> HttpResponseBase:
        """Whole, or the part that the Range header asks for."""
        return file_of(request._request, find_job(request.user, job_id))
