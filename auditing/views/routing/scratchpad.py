"""The scratchpad: an expression, equation or chain, computed by the engine of the computer tier."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.pace import goes_too_fast
from accounts.parameters import read_text
from accounts.permissions import Role, requires_role
from auditing.checker.scratchpad import ScratchResult, ScratchState, evaluate

# Exact arithmetic can be made to work hard: one a second is more than a person types.
MOST, SECONDS = 60, 60
LONGEST = 4_000  # characters that the page repeats; the engine refuses more than half of it
SLOWLY = ScratchResult(ScratchState.CANNOT, f"At most {MOST} calculations a minute, please; try again in a moment.")
LOOKS = {
    ScratchState.TRUE: "verified",
    ScratchState.FALSE: "refuted",
    ScratchState.CANNOT: "not_applicable",
}


@requires_role(*Role.values)
@require_http_methods(["GET", "HEAD", "POST"])
def scratchpad(request: HttpRequest) -> HttpResponse:
    """The page, or with htmx its result alone."""
    expression = read_text(request.POST, "expression", most=LONGEST) if request.method == "POST" else ""
    result, status = None, 200
    if expression.strip():
        if goes_too_fast(who=str(request.user.pk), what="scratchpad", most=MOST, seconds=SECONDS):
            result, status = SLOWLY, 429
        else:
            result = evaluate(expression)
    context = {"expression": expression, "result": result, "look": LOOKS.get(result.state) if result else None}
    template = "auditing/routing/_scratchpad_result.html" if request.htmx else "auditing/routing/scratchpad.html"  # type: ignore[attr-defined]
    # htmx swaps in no 429: the sentence has to arrive with 200 to be seen.
    return render(request, template, context, status=200 if request.htmx else status)  # type: ignore[attr-defined]
