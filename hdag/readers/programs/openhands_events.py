"""One event of OpenHands, of either generation -> what it adds to a conversation."""

from collections.abc import Callable, Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.readers.programs.talk import ENVIRONMENT, NOTHING, Talk

__all__ = ["is_event", "tell"]

# What the program tells itself, and what stands in the thoughts and the answer already.
_SILENT_ACTIONS = ("null", "recall", "change_agent_state", "condensation", "condensation_request", "loop_recovery")
_SILENT_OBSERVATIONS = (
    "null",
    "recall",
    "agent_state_changed",
    "think",
    "finish",
    "message",
    "condense",
    "loop_recovery",
)
_SETTINGS = frozenset(
    "thought blocking is_input is_static hidden timeout confirmation_state security_risk include_extra image_urls "
    "keep_prompt kernel_init_code impl_source return_axtree translated_ipython_code cwd".split()
)
_SILENT_KINDS = frozenset(
    "ConversationStateUpdateEvent CondensationRequest Condensation CondensationSummaryEvent PauseEvent InterruptEvent "
    "TokenEvent LLMCompletionLogEvent StreamingDeltaEvent HookExecutionEvent".split()
)
_KINDS = ("Event", "Condensation", "CondensationRequest", "UserRejectObservation")


def is_event(row: object) -> bool:
    """Whether `row` is an event of either generation.

    >>> is_event({"source": "agent", "action": "run", "args": {"command": "ls"}}), is_event({"action": "run"})
    (True, False)
    """
    if not isinstance(row, Mapping):
        return False
    form = row.get("kind")
    if isinstance(form, str):
        return form.endswith(_KINDS) and not row.keys().isdisjoint(("source", "timestamp", "id", "tool_name"))
    # Steps of other agents have both in one.
    if ("action" in row) == ("observation" in row):
        return False
    is_action = isinstance(row.get("action"), str) and "args" in row
    return is_action or (isinstance(row.get("observation"), str) and not row.keys().isdisjoint(("extras", "cause")))


def tell(talk: Talk, event: Mapping[str, Any], *, where: str, at: str) -> None:
    """Add what `event` says. Raises BadRecordError for one in no known form."""
    if not is_event(event):
        reason = f"is no event with kind, action or observation ({', '.join(map(str, event))})"[:200]
        raise BadRecordError(where=where, field=at, reason=reason)
    form = event.get("kind")
    if not isinstance(form, str):
        (_tell_action if "action" in event else _tell_observation)(talk, event, at)
    elif form in _TELLERS:
        _TELLERS[form](talk, event, at)
    elif form not in _SILENT_KINDS:
        raise BadRecordError(where=where, field=f"{at}.kind", reason=f"{form[:60]!r} is no kind of event known here")


def _tell_action(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    """An action of the older events: what the agent, the user or the program did."""
    action, args, source = event["action"], _fields(event.get("args")), event.get("source")
    thought, told = args.get("thought"), f"{at}.args"
    if action in _SILENT_ACTIONS:
        return
    if action == "system" or source != "agent":
        words = args.get("content") if action in ("system", "message") else {"action": action, **args}
        images = ["[image]"] * len(args.get("image_urls") or []) if isinstance(args.get("image_urls"), list) else []
        words = "\n".join([words, *images]) if isinstance(words, str) else _as_user(action, args)
        talk.ask(words, told, role="system" if action == "system" else "user")
        return
    talk.say(at, reasoning=_reasoning_of_call(talk, event))
    if action == "message":
        talk.say(told, content=args.get("content"))
    elif action == "think":
        talk.say(told, reasoning=thought)
    elif action in ("finish", "reject"):
        last = args.get("final_thought")
        talk.say(told, content=thought)
        talk.say(told, content=last if last not in (None, "", thought) else None)
        if thought in NOTHING and last in NOTHING:
            talk.say(at, content=_fields(args.get("outputs")).get("content") or event.get("message"))
    else:
        talk.say(told, content=thought)
        name, arguments = _call_of(event, action, args)
        talk.call(told, name=name, arguments=arguments, key=event.get("id"))


def _as_user(action: str, args: Mapping[str, Any]) -> str:
    arguments = next((args[name] for name in ("command", "code", "path") if isinstance(args.get(name), str)), "")
    return f"[{action}] {arguments}".strip()


def _tell_observation(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    observation = event["observation"]
    if observation in _SILENT_OBSERVATIONS:
        return
    content, extras = event.get("content"), _fields(event.get("extras"))
    # Delegates and browsers have what they found beside an empty content.
    output = content if content not in NOTHING else extras.get("outputs", extras.get("error_id"))
    name = ENVIRONMENT if observation == "error" else observation
    talk.result(f"{at}.content", output=output, key=_key(event.get("cause")), name=name)


def _key(value: object) -> object:
    """What names no call answers none."""
    return "nothing" if value is None else value


def _call_of(event: Mapping[str, Any], action: str, args: Mapping[str, Any]) -> tuple[object, object]:
    """The call as the model wrote it; else what the program made of it, without its own settings."""
    called = _fields(event.get("tool_call_metadata"))
    name = called.get("function_name") or action
    for call in _message_of(event).get("tool_calls") or []:
        if isinstance(call, Mapping) and call.get("id") == called.get("tool_call_id"):
            function = _fields(call.get("function"))
            if function.get("arguments") not in NOTHING:
                return name, function["arguments"]
    arguments = {key: value for key, value in args.items() if key not in _SETTINGS and value not in (None, "", False)}
    only = next(iter(arguments.values())) if len(arguments) == 1 else None
    return name, only if isinstance(only, str) else arguments


def _message_of(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model's own message, which the program keeps beside its action."""
    response = _fields(_fields(event.get("tool_call_metadata")).get("model_response"))
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _fields(_fields(first).get("message"))


def _reasoning_of_call(talk: Talk, event: Mapping[str, Any]) -> object:
    """What was reasoned before an action; of calls that one answer made together, only once."""
    message = _message_of(event)
    response = _fields(_fields(event.get("tool_call_metadata")).get("model_response")).get("id")
    if isinstance(response, str) and talk.is_told(response):
        return None
    return message.get("reasoning_content") or message.get("thinking_blocks")


def _tell_message(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    message, origin = _fields(event.get("llm_message")), f"{at}.llm_message"
    role = message.get("role") or ("assistant" if event.get("source") == "agent" else "user")
    if role == "assistant":
        talk.say(origin, content=message.get("content"), reasoning=_reasoning(message))
        return
    talk.ask(message.get("content"), origin, role="system" if role == "system" else "user")
    talk.ask(event.get("extended_content"), f"{at}.extended_content")


def _tell_prompt(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    for name in ("system_prompt", "dynamic_context"):
        fragment = event.get(name)
        talk.ask([fragment] if isinstance(fragment, Mapping) else fragment, f"{at}.{name}", role="system")


def _tell_call(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    """An action of the SDK's events; several of one answer have their thought in the first."""
    action, call, name = _fields(event.get("action")), _fields(event.get("tool_call")), event.get("tool_name")
    talk.say(at, content=event.get("thought"), reasoning=_reasoning(event))
    form = action.get("kind")
    if name == "finish" or form == "FinishAction":
        talk.say(f"{at}.action", content=action.get("message"))
    elif name == "think" or form == "ThinkAction":
        talk.say(f"{at}.action", reasoning=action.get("thought"))
    else:
        arguments = _fields(call.get("function")).get("arguments", call.get("arguments"))
        if arguments in NOTHING:
            arguments = {key: value for key, value in action.items() if key != "kind" and value is not None}
        talk.call(f"{at}.action", name=name or form or "tool", arguments=arguments, key=event.get("tool_call_id"))


def _tell_result(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    observation, name = _fields(event.get("observation")), event.get("tool_name")
    if name in ("finish", "think") or observation.get("kind") in ("FinishObservation", "ThinkObservation"):
        return
    content = observation.get("content", observation.get("output"))
    if content in NOTHING:
        content = {key: value for key, value in observation.items() if key != "kind" and value not in NOTHING}
    talk.result(f"{at}.observation", output=content, key=event.get("tool_call_id"), name=name)


def _tell_failure(talk: Talk, event: Mapping[str, Any], at: str) -> None:
    words = next((event[name] for name in ("error", "rejection_reason", "detail", "code") if event.get(name)), None)
    talk.result(at, output=words, key=_key(event.get("tool_call_id")), name=event.get("tool_name"))


def _reasoning(fields: Mapping[str, Any]) -> object:
    """Reasoning under the first of its three names that holds any."""
    entry = fields.get("responses_reasoning_item")
    if isinstance(entry, Mapping):
        pieces = entry.get("content") or entry.get("summary") or []
        texts = [piece if isinstance(piece, str) else _fields(piece).get("text") for piece in pieces]
        entry = [{"type": "reasoning", "text": text} for text in texts if isinstance(text, str)]
    return fields.get("reasoning_content") or fields.get("thinking_blocks") or entry


def _fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


_TELLERS: Mapping[str, Callable[[Talk, Mapping[str, Any], str], None]] = {
    "SystemPromptEvent": _tell_prompt,
    "MessageEvent": _tell_message,
    "ActionEvent": _tell_call,
    "ObservationEvent": _tell_result,
    "UserRejectObservation": _tell_failure,
    "AgentErrorEvent": _tell_failure,
    "ConversationErrorEvent": _tell_failure,
}
