"""The list of policy versions, with what stands under each. Reads PolicyVersion, Campaign, Audit."""

from django.db.models import Count

from accounts.listing import Column, Filter, Query, RowPage, contains, page_of
from auditing.models import PolicyVersion

COLUMNS = (
    Column("number", "Version", "number"),
    Column("name", "Name", "name"),
    Column("follows", "Follows"),
    Column("campaigns", "Campaigns", "campaigns_under", is_number=True),
    Column("audits", "Audits", "audits_under", is_number=True),
    Column("created", "Published", "created"),
)
FILTERS = (Filter("q", "Name"), Filter("use", "Audits", choices=(("yes", "with audits"), ("no", "without"))))
NEWEST = "-number"


def policy_rows(*, query: Query, after: str = "") -> RowPage[PolicyVersion]:
    """One page of versions with the number of campaigns and audits under each."""
    rows = PolicyVersion.objects.select_related("author", "follows").filter(contains("name", query["q"]))
    # distinct: two joins in one query multiply each other's rows.
    counted = rows.annotate(
        campaigns_under=Count("campaigns", distinct=True), audits_under=Count("audits", distinct=True)
    )
    if use := query["use"]:
        counted = counted.filter(audits_under__gt=0) if use == "yes" else counted.filter(audits_under=0)
    return page_of(rows=counted, columns=COLUMNS, sort=query.sort, after=after)
