"""The policy lab: versions, the edit form with its live preview, figures as CSV, roll back, replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.listing import read_query
from accounts.parameters import read_choice, read_id, read_number, read_text, read_texts
from accounts.permissions import Role, get_person, requires_role
from auditing.core.errors import BadPolicyError
from auditing.core.policy import DEFAULT, PRESETS, Policy
from auditing.core.values import Tier
from auditing.research.downloads import csv_answer
from auditing.research.policy_lab.core.questions import QUESTIONS, propose
from auditing.research.policy_lab.selectors.gold import bonus_in_effect, gold_in_effect
from auditing.research.policy_lab.selectors.hindsight import hindsight_of
from auditing.research.policy_lab.selectors.lab import DEFAULT_MIX, PREVIEW_TRIALS, examine, recommend
from auditing.research.policy_lab.selectors.listing import COLUMNS, FILTERS, NEWEST, policy_rows
from auditing.research.policy_lab.selectors.preview import preview_of
from auditing.research.policy_lab.selectors.replay import replay
from auditing.research.policy_lab.selectors.sample import sample_in_effect
from auditing.research.policy_lab.services import publish_policy, roll_back
from auditing.research.policy_lab.views.drawn import blank_fields, draw_fields, parameters_of
from auditing.research.policy_lab.views.forms import PolicyForm
from auditing.research.policy_lab.views.sliders import LabForm, QuestionsForm
from auditing.research.policy_lab.views.wishes import WishForm
from auditing.selectors.campaigns.lookup import find_campaign, newest_campaigns
from auditing.selectors.policy.lookup import find_version, other_versions
from auditing.selectors.policy.versions import difference, dry_run, latest_policy, load_policy
from auditing.selectors.routing.tiers import available_tiers

if TYPE_CHECKING:
    from auditing.models import Campaign, PolicyVersion

MOST_VERSIONS = 99_999_999  # as a number in an address
MOST_BESIDE = 3  # versions beside the one that is shown: each is simulated, and more columns fit no page
PREVIEWED = 20  # traces that are routed again at each key: the newest


@requires_role(Role.ADMIN)
@require_GET
def policy_list(request: HttpRequest) -> HttpResponse:
    """Every version, and the presets a new one may start from."""
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default=NEWEST)
    context = {
        "page": policy_rows(query=query, after=read_text(request.GET, "after")),
        "query": query,
        "filters": query.filters,
        "columns": COLUMNS,
        "presets": PRESETS,
    }
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/policy/{'_list' if is_part else 'list'}.html", context)


@requires_role(Role.ADMIN)
@require_GET
def policy_page(request: HttpRequest, number: int) -> HttpResponse:
    """One version: what it does, every parameter beside the default's, and what others do, side by side."""
    version = _find(number)
    policy = load_policy(version=version)
    examination = examine(policy=policy, counts=DEFAULT_MIX, wrong=1)
    others = [_beside(other, policy) for other in _versions_to_compare(read_texts(request.GET, "against"), version)]
    context = {
        "version": version,
        "policy": policy,
        "others": others,
        "against": {other["version"].number for other in others},
        "most_beside": MOST_BESIDE,
        "versions": other_versions(version=version),
        "changes": difference(before=DEFAULT, after=policy),
        "examination": examination,
        "columns": [
            column
            for column in ({"version": version, "examination": examination}, *others)
            if column["examination"].forecast
        ],
        "gold": gold_in_effect(policy=policy, number=number),
        "bonuses": bonus_in_effect(policy=policy, number=number),
        "sample": sample_in_effect(policy=policy, number=number),
        "parameters": parameters_of(policy),
        "campaigns": newest_campaigns(),
        "digest": bytes(version.digest).hex(),
        "hindsight": hindsight_of(version=version),
        **_recommendation(request, policy),
    }
    return render(request, "auditing/policy/page.html", context)


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_policy(request: HttpRequest) -> HttpResponse:
    """Edit towards a new version; POST shows the preview, or publishes when asked to."""
    follows, base = _base(request)
    form = LabForm(request.POST, base=base) if request.POST else None
    if form is not None and form.is_valid() and "publish" in request.POST:
        version = publish_policy(policy=form.policy, author=get_person(request), follows=follows)
        messages.success(
            request, f"Policy {version.number} is published. It holds for new audits of campaigns that name it."
        )
        return redirect("auditing:policy", number=version.number)
    context = {
        "form": form,
        "fields": draw_fields(form=form) if form is not None else blank_fields(base),
        "follows": follows,
        "presets": PRESETS,
        **_preview(form, base, follows),
    }
    return render(
        request, "auditing/policy/edit.html", context, status=400 if form is not None and form.errors else 200
    )


@requires_role(Role.ADMIN)
@require_GET
def questions(request: HttpRequest) -> HttpResponse:
    """Six questions that lead to a policy, and what their answers lead to."""
    is_asked = "answered" in request.GET
    proposal = propose(answers=_answers(request)) if is_asked else None
    context = {
        "form": QuestionsForm(request.GET if is_asked else None),
        "proposal": proposal,
        "examination": examine(policy=proposal.policy, counts=DEFAULT_MIX, wrong=1) if proposal else None,
    }
    return render(request, "auditing/policy/questions.html", context)


@requires_role(Role.ADMIN)
@require_POST
def preview_policy(request: HttpRequest) -> HttpResponse:
    """The preview of what stands in the form, as a fragment; htmx asks while one types."""
    follows, base = _base(request)
    form = LabForm(request.POST, base=base)
    # 200 with the errors in it, even for a bad form: htmx swaps no 4xx in, and half a number is no error yet.
    # Few trials at each key; the whole page, which whoever stops typing may ask for, has all of them.
    context = {"form": form, "is_quick": True, **_preview(form, base, follows, PREVIEW_TRIALS)}
    return render(request, "auditing/policy/_preview.html", context)


@requires_role(Role.ADMIN)
@require_POST
def figure_of_form(request: HttpRequest) -> HttpResponse:
    """The numbers of one chart of what stands in the form, as CSV."""
    form = LabForm(request.POST, base=_base(request)[1])
    if not form.is_valid():
        return HttpResponse("The form holds a bad value.", status=400, content_type="text/plain")
    return _csv(form.policy, read_text(request.POST, "figure"), form.mix.counts, form.mix.wrong)


@requires_role(Role.ADMIN)
@require_GET
def figure(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """The numbers of one chart of a version, as CSV."""
    return _csv(load_policy(version=_find(number)), name, DEFAULT_MIX, 1)


@requires_role(Role.ADMIN)
@require_POST
def roll_back_policy(request: HttpRequest, number: int) -> HttpResponse:
    """The parameters of an earlier version as the next one."""
    try:
        version = roll_back(to=_find(number), author=get_person(request))
    except BadPolicyError as error:
        messages.error(request, f"Nothing was published. {error.field} {error.problem}")
        return redirect("auditing:policy", number=number)
    messages.success(request, f"Policy {version.number} has the parameters of policy {number}.")
    return redirect("auditing:policy", number=version.number)


@requires_role(Role.ADMIN)
@require_GET
def replay_policy(request: HttpRequest, number: int) -> HttpResponse:
    """What this version would have made of recorded votes."""
    version, campaign = _find(number), _campaign(request)
    context = {
        "version": version,
        "campaign": campaign,
        "replay": replay(policy=load_policy(version=version), campaign=campaign),
    }
    return render(request, "auditing/policy/replay.html", context)


def _recommendation(request: HttpRequest, policy: Policy) -> dict[str, object]:
    """The form of a wish, and what is recommended once one was made."""
    is_asked = "accuracy" in request.GET
    wish = WishForm(request.GET if is_asked else None)
    if not is_asked or not wish.is_valid():
        return {"wish": wish}
    wanted = wish.cleaned_data
    errors = float(wanted["not_passed"]), float(wanted["passed"])
    return {
        "wish": wish,
        "recommendation": recommend(
            policy=policy, passages=wanted["segments"], accuracy=wanted["accuracy"], errors=errors
        ),
    }


def _find(number: int) -> PolicyVersion:
    version = find_version(number=number)
    if version is None:
        raise Http404
    return version


def _versions_to_compare(words: list[str], version: PolicyVersion) -> list[PolicyVersion]:
    """The versions to compare with: those asked for, in the order of their numbers, else the one it follows."""
    numbers = {read_number({"against": word}, "against", most=MOST_VERSIONS) for word in words[:MOST_BESIDE]}
    wanted = sorted(number for number in numbers if number is not None and number != version.number)
    versions = [find_version(number=number) for number in wanted] if words else [version.follows]
    return [other for other in versions if other is not None]


def _beside(other: PolicyVersion, policy: Policy) -> dict[str, Any]:
    """What another version does, and in what `policy` differs from it."""
    theirs = load_policy(version=other)
    return {
        "version": other,
        "examination": examine(policy=theirs, counts=DEFAULT_MIX, wrong=1),
        "changes": difference(before=theirs, after=policy),
    }


def _campaign(request: HttpRequest) -> Campaign | None:
    """The campaign that the address names; 404 where it names something that is none."""
    key = read_id(request.GET, "campaign")
    if key is None and read_text(request.GET, "campaign"):
        raise Http404
    return find_campaign(key=key) if key else None


def _base(request: HttpRequest) -> tuple[PolicyVersion | None, Policy]:
    """(the version a new one follows, the policy the form starts from): ?from=7, ?preset=strict, else the newest."""
    latest, preset = latest_policy(), read_choice(request.GET, "preset", PRESETS)
    number = read_number(request.GET, "from", most=MOST_VERSIONS)
    if "answered" in request.GET:
        return latest, propose(answers=_answers(request)).policy
    # A preset still follows the newest version, so that the page can say what would change.
    if preset:
        return latest, PRESETS[preset]
    if number is not None:
        version = _find(number)
        return version, load_policy(version=version)
    return latest, load_policy(version=latest) if latest else DEFAULT


def _answers(request: HttpRequest) -> dict[str, str]:
    return {name: read_choice(request.GET, name, dict(answers)) for name, _, answers in QUESTIONS}


def _preview(
    form: PolicyForm | None, base: Policy, follows: PolicyVersion | None, most_trials: int | None = None
) -> dict[str, object]:
    before = load_policy(version=follows) if follows else DEFAULT
    context: dict[str, object] = {"dry_run": dry_run(follows=follows), "follows": follows}
    # A page that was just opened shows the figures of its starting point, not an empty pane.
    if form is None:
        context |= {"examination": examine(policy=base, counts=DEFAULT_MIX, wrong=1)}
        context |= {"gold": gold_in_effect(policy=base)}
        context |= {"preview": preview_of(policy=base, available=available_tiers(), traces=PREVIEWED)}
        return context | {"changes": difference(before=before, after=base)}
    if form.is_valid():
        context |= {
            "examination": examine(
                policy=form.policy, counts=form.mix.counts, wrong=form.mix.wrong, most_trials=most_trials
            )
        }
        context |= {"gold": gold_in_effect(policy=form.policy)}
        context |= {"changes": difference(before=before, after=form.policy)}
        context |= {"preview": preview_of(policy=form.policy, available=available_tiers(), traces=PREVIEWED)}
    return context


def _csv(policy: Policy, name: str, counts: Mapping[Tier, int], wrong: int) -> HttpResponse:
    chart = examine(policy=policy, counts=counts, wrong=wrong).chart(name=name)
    if chart is None:
        raise Http404
    return csv_answer(rows=chart.csv_rows(), name=f"policy-{chart.name}.csv")
