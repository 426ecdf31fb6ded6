"""Tags of the one list component: which columns stand there, and the views that a person keeps of it."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context

from accounts.listing import Column
from accounts.permissions import get_person
from accounts.selectors.saved_views import views_of

register = template.Library()
ALWAYS = 2  # columns that say which row it is


@register.simple_tag(takes_context=True)
def hidden_columns(context: Context, columns: Sequence[Column]) -> str:
    """Classes of a table for the columns that the address hides: `?hide=domain&hide=stage`."""
    hidden = set(context["request"].GET.getlist("hide"))
    return " ".join(
        f"hide-{place}" for place, column in enumerate(columns, start=1) if place > ALWAYS and column.name in hidden
    )


@register.inclusion_tag("components/list_columns.html", takes_context=True)
def list_columns(context: Context, columns: Sequence[Column]) -> dict[str, Any]:
    """Boxes for the columns that may be hidden; they belong to the form of the filters."""
    hidden = set(context["request"].GET.getlist("hide"))
    return {"columns": [(column, column.name in hidden) for column in columns[ALWAYS:]], "is_open": bool(hidden)}


@register.inclusion_tag("components/list_views.html", takes_context=True)
def list_views(context: Context) -> dict[str, Any]:
    """The views that this person keeps of this list, and a field to keep the one that is shown."""
    request = context["request"]
    page = request.resolver_match.view_name
    query = request.GET.urlencode()
    views = list(views_of(user=get_person(request), page=page))
    return {"views": views, "page": page, "query": query, "path": request.path, "csrf_token": context["csrf_token"]}
