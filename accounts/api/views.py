"""What every address of the API has in common: it reads the parameters that it describes, and refuses all others."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework import views
from rest_framework.request import Request

from accounts.api.queries import check_names

SAFE = ("GET", "HEAD")


class APIView(views.APIView):
    """A view of the API; `asked` describes what it reads in the address of a GET, and no other method reads any."""

    asked: ClassVar[tuple[OpenApiParameter, ...]] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises UnknownParameterError (400), to nobody but those who may ask at all."""
        super().initial(request, *args, **kwargs)
        names = [parameter.name for parameter in self.asked] if request.method in SAFE else []
        check_names(request.query_params, names)
