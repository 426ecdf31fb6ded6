"""Hundreds of fields of a policy, drawn once: they are the same for everybody who opens the same policy."""

from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from auditing.core.policy import Policy
from auditing.research.policy_lab.views.forms import ROUTE_FIELDS, PolicyForm
from auditing.research.policy_lab.views.sliders import LabForm


def draw_fields(*, form: LabForm) -> SafeString:
    """The fields of the lab's form, as they were filled in."""
    return render_to_string("auditing/policy/_fields.html", {"form": form, "route_words": ROUTE_FIELDS})


@lru_cache(maxsize=16)
def blank_fields(policy: Policy) -> SafeString:
    """The same before anybody filled them in."""
    return draw_fields(form=LabForm(base=policy))


@lru_cache(maxsize=64)
def parameters_of(policy: Policy) -> SafeString:
    """Every parameter in words."""
    context = {"form": PolicyForm(base=policy), "policy": policy}
    return render_to_string("auditing/policy/_parameters.html", context)
