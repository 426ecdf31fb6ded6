"""Whether this process can serve: asked by containers, load balancers and `serve` itself."""

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def show_health(request: HttpRequest) -> JsonResponse:
    """200 when the database answers; a lost one becomes 503 in trustweb/failures.py."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
