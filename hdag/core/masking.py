"""Hide who speaks in trace text: links, addresses, chat tokens, names of models and of their makers.

Each find becomes a neutral word in brackets, so that the sentence can still be judged. Ordinary names of people in a
problem stay: "Claude buys 3 apples" is mathematics. Every pattern is linear in the text.
"""

import re
from collections.abc import Iterable

LINK, ADDRESS, TOKEN, MODEL, NAME, AUTHOR = "[link]", "[address]", "[token]", "[model]", "[name]", "[about the author]"

_MAKERS = (
    "OpenAI|Anthropic|DeepMind|Hugging ?Face|Mistral AI|Meta AI|Google AI|Microsoft Copilot|Moonshot AI|Zhipu|"
    "Alibaba Cloud|Tongyi|xAI|Cohere|Perplexity AI|NVIDIA"
)
_MODELS = (
    "ChatGPT|InstructGPT|GPT|DeepSeek|Qwen|QwQ|QVQ|Mixtral|Codestral|Mathstral|ChatGLM|InternLM|Baichuan|Nemotron|WizardLM|"
    "WizardMath|OLMo|StableLM|StarCoder|CodeLlama|LLaMA"
)
_ALSO_WORDS = "Claude|Gemini|Llama|Mistral|Phi|Falcon|Grok|Gemma|Bard|Orca|Vicuna|Alpaca|Kimi|Copilot|Granite"
_TAIL = r"(?:[-_ ]?[\dRVvo][\w.-]{0,40}(?<=\w)|-[\w.-]{0,40}(?<=\w))?"
_ROLES = "assistant|human|user|system|ai|bot|model|chatbot"

_FINDS = re.compile(
    "|".join(
        (
            r"(?P<link>(?i:\b(?:https?|ftp)://|\bwww\.)[^\s<>\"'\]})]+(?<![.,;:!?]))",
            r"(?P<address>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}(?<=\w))",
            r"(?P<token><[|｜][^|｜<>\n]{1,60}[|｜]>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|"
            r"(?i:</?(?:s|bos|eos|think|thinking|scratchpad|reasoning|assistant|system|user)>)|"
            rf"(?im:^(?:{_ROLES})[ \t]{{0,3}}:(?!=)))",
            r"(?P<author>\b(?i:(?:as|i am|i['’]m)(?: just| only)? an? (?:helpful )?"
            r"(?:ai|artificial intelligence|large language model|language model|chatbot|llm)\b"
            r"(?: (?:language )?(?:model|assistant|system))?)"
            r"|\b(?i:my (?:knowledge|training) (?:cut-?off|data))\b)",
            rf"(?P<said>\b(?i:(?:i am|i['’]m|my name is|call me) )(?=(?:{_ALSO_WORDS}|{_MODELS})\b))"
            rf"(?:{_ALSO_WORDS}|{_MODELS}){_TAIL}",
            r"(?P<made>\b(?i:(?:trained|developed|created|built|fine-tuned) by )(?=[A-Z]))[A-Z][\w-]{1,40}",
            r"(?P<signed>(?im:^[ \t]{0,8}(?:author|written by|solution by|solved by|submitted by|annotator|contact)"
            r"[ \t]{0,3}:[ \t]{0,3}))[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){0,3}",
            rf"(?P<model>\b(?:{_MODELS}){_TAIL}\b|\b(?:{_ALSO_WORDS})-v?\d[\w.-]{{0,40}}(?<=\w)"
            rf"|\b(?:{_ALSO_WORDS}) \d\.\d\b|\b(?:{_ALSO_WORDS})[- ](?:Opus|Sonnet|Haiku|Pro|Flash|Ultra|Instruct)\b)",
            rf"(?P<maker>\b(?:{_MAKERS})\b)",
        )
    )
)
_WORDS = {"link": LINK, "address": ADDRESS, "token": TOKEN, "author": AUTHOR, "model": MODEL, "maker": NAME}
_KEPT = {"said": MODEL, "made": NAME, "signed": NAME}
_PLAIN = re.compile(r"[a-z]{1,7}")
SHORTEST_NAME = 3


def mask(*, text: str, names: Iterable[str] = ()) -> str:
    """`text` with every sign of its author hidden; `names`: the trace's declared model and its provider's names.

    >>> mask(text="As an AI, see https://a.example/x: GPT-4 says Claude has 3 apples.")
    '[about the author], see [link]: [model] says Claude has 3 apples.'
    """
    own = _declared(names)
    return _FINDS.sub(_replace, own.sub(NAME, text) if own else text)


def _replace(found: re.Match[str]) -> str:
    kind = found.lastgroup or ""
    return _WORDS[kind] if kind in _WORDS else found[kind] + _KEPT[kind]


def _declared(names: Iterable[str]) -> re.Pattern[str] | None:
    """The declared names as whole words, longest first; everyday words such as "model" are no names."""
    parts = {part.strip() for name in names for part in (name, *name.split("/"))}
    telling = sorted((part for part in parts if len(part) >= SHORTEST_NAME and not _PLAIN.fullmatch(part)), key=len)
    if not telling:
        return None
    listed = "|".join(re.escape(part) for part in reversed(telling))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)
