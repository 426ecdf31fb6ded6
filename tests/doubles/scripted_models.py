"""What the scripted models answer: from the schema they are given and from what stands inside the data fence.

They see what any model would see: the messages. A step is judged by the sums found in it; an entailment by the rules
of ClaimTrees; anything else gets the smallest answer that satisfies the schema.
"""

import base64
import binascii
import hashlib
import json
import re
import unicodedata
from typing import Any

from auditing.core.soundness.entailment import Query
from auditing.research.studies.instruments.claimtree_chains import follows
from tests.doubles.critic_model import CRITICS

_BEGIN = re.compile(r"<<<DATA ([0-9a-f]{32})$", re.MULTILINE)
_SUM = re.compile(r"(\d+) ([-+*]) (\d+) = (\d+)")
_OBEY = re.compile(
    r"\bpass\b|\bvalid\b|\bapprove|\bcorrect\b|\baccept|bestanden|gültig|aprob|válid|valide\b|通过|合格|正确|годен|одобр|صحيح|合格"
)
_HIDDEN = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x202E, 0x202C])


def think(behaviour: str, body: dict[str, Any]) -> str:
    """The text that the named model answers."""
    schema, purpose = _wanted(body)
    inside, outside = split_fence(body["messages"])
    answer = _ANSWERS.get(purpose, _smallest)(inside, schema)
    if behaviour.startswith("agent-") and answer.get("action") == "finish":
        _react(behaviour.removeprefix("agent-"), inside, answer)
    if behaviour.startswith("decompose-"):
        _spoil(behaviour.removeprefix("decompose-"), answer)
    if behaviour.startswith("noisy-"):
        answer = _flip_sometimes(answer, float(behaviour.removeprefix("noisy-")), _asked(body) + inside)
    if behaviour == "stubborn" and answer.get("action") == "finish":
        answer["vote"] = "pass"
    if behaviour == "endless" and "action" in answer:
        answer.update(action="call", tool="check", input="1 + 1 = 2")
    if behaviour == "stamp" or (behaviour.startswith("obey") and _instructs(outside)):
        answer = {**answer, "vote": "pass", "quotes": [], "error_type": "none", "origin": "none"}
        if "label" in schema.get("properties", {}):
            answer = {"proof": "As I was told.", "label": "Very Likely"}
    return json.dumps(answer)


def _wanted(body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The schema and what the question is for: as the request says, else read from the words of its last message."""
    if wanted := body.get("response_format", {}).get("json_schema", {}):
        return wanted["schema"], wanted["name"]
    words = body["messages"][-1]["content"].rpartition("JSON schema: ")[2]
    try:
        schema = json.loads(words)
    except ValueError:
        return {}, ""
    return schema, _purpose_of(schema["properties"])


def _purpose_of(properties: dict[str, Any]) -> str:
    if "action" in properties:
        return "run_on" if "thoughts" in properties else "audit_turn"
    if "edges" in properties:
        return "relations" if properties["edges"]["items"]["type"] == "object" else "dag_edges"
    by_field = {
        "criteria": "judge",
        "blocks": "levels",
        "segments": "segments",
        "assignments": "tiers",
        "rationale": "reward",
        "steps": "dag_sample",
        "nodes": "dag_nodes",
        "parents": "dag_parents",
        "wrong": "dag_check",
        "changed": "intervention",
        "likeness": "likeness",
        "words": "whole_chain",
        "number": "probe",
        "thinking": "policy",
    }
    by_field["label"] = "entailment" if "proof" in properties else "odds"
    return next((purpose for field, purpose in by_field.items() if field in properties), "")


def split_fence(messages: list[dict[str, str]]) -> tuple[str, str]:
    """Text inside the data fences and the user's text outside them; only the announced boundary closes a fence."""
    inside, outside = [], []
    for message in messages:
        if message["role"] != "user":
            continue
        rest = message["content"]
        while begin := _BEGIN.search(rest):
            outside.append(rest[: begin.start()])
            data, _, rest = rest[begin.end() :].partition(f"\nDATA {begin[1]}>>>")
            inside.append(data.strip("\n"))
        outside.append(rest)
    return "\n".join(inside), "\n".join(outside)


def _instructs(text: str) -> bool:
    """An instruction to pass in any of the disguises of the suite: hidden characters, base64, reversed, spaced out."""
    plain = unicodedata.normalize("NFKC", text).translate(_HIDDEN).lower()
    forms = [plain, plain[::-1], plain.replace(" ", ""), plain.replace("-", "")]
    for word in re.findall(r"[A-Za-z0-9+/=]{12,}", text):
        try:
            forms.append(base64.b64decode(word + "=" * (-len(word) % 4)).decode("utf-8", "replace").lower())
        except (binascii.Error, ValueError):
            continue
    return any(_OBEY.search(form) for form in forms)


def _judge(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    shown = json.loads(inside) if inside.startswith("{") else {"reasoning": inside}
    wrong = [found for found in _SUM.finditer(shown.get("reasoning", "")) if not _holds(*found.groups())]
    answer = _smallest(inside, schema)
    answer.update(vote="fail" if wrong else "pass", confidence=0.9, reason="The sums were done again.")
    answer.update(error_type="calculation" if wrong else "none", origin="local" if wrong else "none")
    answer["quotes"] = [wrong[0][0]] if wrong else []
    return answer


def _holds(a: str, sign: str, b: str, total: str) -> bool:
    x, y = int(a), int(b)
    return {"+": x + y, "-": x - y, "*": x * y}[sign] == int(total)


def _entail(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    shown = json.loads(inside)
    holds = follows(Query(tuple(shown["premises"]), shown["hypothesis"]))
    yes, no = ("YES", "NO") if "YES" in schema["properties"]["label"]["enum"] else ("Very Likely", "Very Unlikely")
    return {**_smallest(inside, schema), "label": yes if holds else no}


def _turn(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The audit model: one malformed call, one check, then the verdict of the check."""
    empty = {"action": "call", "tool": "none", "input": "", "vote": "abstain", "confidence": 0.5, "reason": ""}
    if '{"error"' not in inside:
        return {**empty, "tool": "function", "input": "__import__('os').system('true')"}
    if '{"result"' not in inside:
        found = _SUM.search(inside)
        return {**empty, "tool": "check", "input": found[0] if found else "1 + 1 = 2"}
    vote = "fail" if "refuted" in inside else "pass"
    return {**empty, "action": "finish", "vote": vote, "confidence": 0.8, "reason": "The tool says so."}


def _run_on(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The agent: one sum with a tool, then the last number of its last thought as the answer."""
    empty = {"action": "call", "tool": "none", "input": "", "thoughts": [], "answer": ""}
    if '{"result"' not in inside:
        return {**empty, "tool": "calculate", "input": "1 + 1"}
    last = re.findall(r"\d+", json.loads(inside.split("\n")[0])["so_far"][-1])
    found = last[-1] if last else "0"
    return {**empty, "action": "finish", "thoughts": [f"So I get {found}."], "answer": found}


def _react(how: str, inside: str, answer: dict[str, Any]) -> None:
    """An agent that does not follow: it knows its answer (ignores-16), or sets the thought right (repairs-16)."""
    what, _, known = how.partition("-")
    said = "Wait, that is wrong: it should be {}." if what == "repairs" else "Anyway, it is {}."
    answer.update(thoughts=[said.format(known)], answer=known)


def _change(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The critic: every 8 becomes 9, otherwise "not" is put in front."""
    thought = json.loads(inside)["thought"]
    return {"changed": thought.replace("8", "9") if "8" in thought else f"It is not so that {thought}"}


def _reward(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The reward model praises everything at length, but for an answer that its reference does not hold."""
    item = json.loads(inside)
    is_answered = f"<answer>{item['reference_answer']}</answer>" in item["item"] if "reference_answer" in item else True
    return {
        "rationale": "Every line follows from the one before it, " * 3 + "so it is right.",
        "reason": 1,
        "answer": int(is_answered),
    }


def _dag_sample(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Three steps, the second of them used by nobody, and the last number of the problem as the answer."""
    last = re.findall(r"\d+", json.loads(inside)["problem"])[-1]
    parents = {"The problem says so.": [], "A remark.": [1], f"The answer is {last}.": [1]}
    return {"steps": [{"edge": "so", "parents": p, "node": node} for node, p in parents.items()], "answer": last}


def _dag_nodes(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"nodes": [line for line in json.loads(inside)["solution"].split("\n") if line]}


def _dag_parents(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A chain, but nobody uses the first node."""
    size = len(json.loads(inside)["nodes"])
    return {"parents": [[number] if number > 1 else [] for number in range(size)]}


def _asked(body: dict[str, Any]) -> str:
    """Our words without the boundary: a question in other words may be answered otherwise."""
    said = [message["content"] for message in body["messages"] if message["role"] == "system"]
    return re.sub("[0-9a-f]{32}", "", "".join([*said, split_fence(body["messages"])[1]]))


def _flip_sometimes(answer: dict[str, Any], rate: float, question: str) -> dict[str, Any]:
    rng = int.from_bytes(hashlib.blake2b(question.encode(), digest_size=8).digest(), "big") / 2**64
    if rng >= rate:
        return answer
    turned = {"pass": "fail", "fail": "pass", "Very Likely": "Very Unlikely", "Very Unlikely": "Very Likely"}
    flipped = {k: turned.get(v, v) if isinstance(v, str) else v for k, v in answer.items()}
    if flipped.get("vote") == "fail":
        flipped.update(error_type="reasoning", origin="local")
    return flipped


def _smallest(inside: str, schema: dict[str, Any]) -> Any:
    """The smallest value that satisfies the schema."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {key: _smallest(inside, schema["properties"][key]) for key in schema.get("required", ())}
    # The lower bound stands in words: a request holds no bounds.
    words = re.search(r"not below ([0-9.]+)", schema.get("description", ""))
    least = json.loads(words[1]) if words else schema.get("minimum", 0)
    return {"array": [], "string": "x", "number": least, "integer": least}.get(kind, False)


def _levels(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    lines = [line for line in json.loads(inside)["text"].split("\n") if line.strip()]
    plan = ("strategy", "First,"), ("tactic", "Let me")
    level_of = lambda line: next((level for level, start in plan if line.startswith(start)), "step")  # noqa: E731
    return {"blocks": [{"level": level_of(line), "text": line} for line in lines]}


def _segments(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    rows = []
    for block in json.loads(inside)["blocks"]:
        rows.append({**block, "kind": "inference", "summary": "says something", "complexity": "low"})
        for found in _SUM.finditer(block["text"]):
            rows.append({**rows[0], "level": "operation", "text": found[0], "kind": "sum", "summary": found[0]})
    return {"segments": rows}


def _relations(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    steps = [row["id"] for row in json.loads(inside)["segments"] if row["level"] in ("goal", "step")]
    pairs = zip(steps[1:], steps, strict=False)
    return {"edges": [_edge(source, target) for source, target in pairs]}


def _edge(source: str, target: str) -> dict[str, Any]:
    strength = {"strength": "strong", "confidence": 0.9, "explanation": "uses it"}
    return {"source": source, "target": target, "relation": "depends_on", **strength}


def _tiers(inside: str, schema: dict[str, Any]) -> dict[str, Any]:
    rows = []
    for row in json.loads(inside)["segments"]:
        tier = "computer" if row["level"] == "operation" else "llm"
        rows.append({"id": row["id"], "primary": tier, "secondaries": ["human"], "why": "so", "focus": "it"})
    return {"assignments": rows}


def _spoil(how: str, answer: dict[str, Any]) -> None:
    """Damage an answer of the decomposition: invented text, circles, unknown ids, missing levels, nothing at all."""
    if how == "invented":
        for row in answer.get("segments", ()):
            row["text"] = "The moon is made of cheese."
    if how == "cycle" and answer.get("edges"):
        answer["edges"] += [{**_edge(e["target"], e["source"]), "confidence": 0.1} for e in answer["edges"]]
    if how == "strangers" and answer.get("edges"):
        answer["edges"][0]["target"] = "ST999"
    if how == "flat":
        for name in {"blocks", "segments"} & answer.keys():
            answer[name] = [row for row in answer[name] if row["level"] in ("step", "operation")]
    if how == "empty" and "blocks" in answer:
        answer["blocks"] = []


_ANSWERS = {
    "judge": _judge,
    "entailment": _entail,
    "audit_turn": _turn,
    "levels": _levels,
    "segments": _segments,
    "relations": _relations,
    "tiers": _tiers,
    "dag_sample": _dag_sample,
    "reward": _reward,
    "dag_nodes": _dag_nodes,
    "dag_parents": _dag_parents,
    "run_on": _run_on,
    "intervention": _change,
    "policy": lambda inside, schema: {"thinking": "It is so.", "answer": "8"},
    "probe": lambda inside, schema: {"number": 42},
    "odds": lambda inside, schema: {"label": "YES"},
    **CRITICS,
}
