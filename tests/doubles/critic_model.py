"""Scripted critics: of whole traces (it does every sum again), of whole chains of claims, of two answers."""

import json
import re
from collections.abc import Callable
from typing import Any

from auditing.core.soundness.entailment import Query
from auditing.research.studies.instruments.claimtree_chains import follows

_SUM = re.compile(r"(\d+) \+ (\d+) = (\d+)")


def critique(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The first paragraph with a wrong sum, -1 for none."""
    paragraphs = json.loads(inside)["paragraphs"]
    sums = ((entry["number"], *map(int, numbers)) for entry in paragraphs for numbers in _SUM.findall(entry["text"]))
    first = next((number for number, a, b, total in sums if a + b != total), -1)
    return {"review": "The sums were done again.", "first_error": first}


def whole_chain(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Each claim by the rules of ClaimTrees, beside everything else that is shown."""
    shown = json.loads(inside)
    words = []
    for place, claim in enumerate(shown["claims"]):
        others = (*shown["given"], *shown["claims"][:place], *shown["claims"][place + 1 :])
        words.append({"reason": "so", "label": "Very Likely" if follows(Query(others, claim)) else "Very Unlikely"})
    return {"words": words}


def likeness(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    shown = json.loads(inside)
    return {"likeness": 1.0 if set(shown["first"].split()) & set(shown["second"].split()) else 0.0}


def dag_edges(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A justification that cites every parent."""
    steps = json.loads(inside)["steps"]
    return {"edges": ["By " + (" and ".join(f"Step {p}" for p in s["parents"]) or "the problem") for s in steps]}


def grade(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The same error where the annotation speaks of a sum, as the double's own reasons do."""
    return {"why": "Compared.", "same": "yes" if "sum" in json.loads(inside)["reference"] else "no"}


def audit(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Whether an evaluation that praises a response is right: the sums of the response are done again."""
    sums = (tuple(map(int, numbers)) for numbers in _SUM.findall(json.loads(inside)["response"]))
    is_wrong = any(a + b != total for a, b, total in sums)
    return {"reason": "The sums were done again.", "vote": "fail" if is_wrong else "pass", "confidence": 0.9}


CRITICS: dict[str, Callable[[str, dict[str, Any]], dict[str, Any]]] = {
    "critique": critique,
    "audit_plain": audit,
    "whole_chain": whole_chain,
    "likeness": likeness,
    "dag_edges": dag_edges,
    "reason_grade": grade,
    "proof": lambda inside, schema: {"why": "No step is missing.", "rc": 6, "ds": 7, "fa": 5},
}
