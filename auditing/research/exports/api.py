"""/api/v1/exports: ask for a data set, follow the job, take the file."""

from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Scope, role_permission
from auditing.research.exports import services
from auditing.research.exports.formats import ExportRefusedError
from auditing.research.exports.selectors.jobs import exports_of
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters
from auditing.research.exports.serializers import ExportAsked, ExportShown
from auditing.research.exports.views import file_of, get_job
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.services import jobs


class ExportList(APIView):
    """Exports of the caller."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="exports_list", responses={200: ExportShown(many=True)})
    def get(self, request: Request) -> Response:
        """Your newest 50 exports."""
        exports = exports_of(owner=researcher_of(request))[:50]
        return Response(ExportShown(exports, many=True).data)

    @extend_schema(operation_id="exports_create", request=ExportAsked, responses={201: ExportShown})
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask for an export; it is written as a job, and its file stays for a week."""
        values = read_body(ExportAsked, request)
        try:
            job = services.ask(
                owner=researcher_of(request),
                dataset=values["dataset"],
                format=values["format"],
                filters=Filters.read(values),
                with_text=values["with_text"],
                bundle=values.get("bundle"),
            )
        except services.BundleRefusedError as error:
            raise serializers.ValidationError({"bundle": [str(error)]}) from None
        except ExportRefusedError as error:
            raise serializers.ValidationError({"format": [str(error)]}) from None
        except FilterRefusedError as error:
            raise serializers.ValidationError({"filters": [str(error)]}) from None
        # Read back what the database filled in, and how far a quick worker has come already.
        job.refresh_from_db()
        return Response(ExportShown(job).data, status=201)


class ExportDetail(APIView):
    """One export."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="exports_retrieve", responses={200: ExportShown})
    def get(self, request: Request, job_id: UUID) -> Response:
        """How far an export is, and the hash of its content once it is done."""
        return Response(ExportShown(get_job(researcher_of(request), job_id)).data)

    @extend_schema(operation_id="exports_cancel", request=None, responses={200: ExportShown})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Cancel an export."""
        jobs.cancel(job=get_job(researcher_of(request), job_id))
        return Response(ExportShown(get_job(researcher_of(request), job_id)).data)


class ExportFile(APIView):
    """The file of a finished export; ranges resume."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.READ

    @extend_schema(operation_id="exports_file", responses={200: OpenApiTypes.BINARY, 206: OpenApiTypes.BINARY})
    def get(self, request: Request, job_id: UUID) -> HttpResponseBase:
        """Whole, or the part that the Range header asks for."""
        return file_of(request._request, get_job(researcher_of(request), job_id))
