"""What stands, in lower case, in every text that holds a sign of signs.py: most texts hold none and are not searched.

To look for these takes a twelfth of the time that the signs take. A hint too many costs a search in vain; a sign that
has none would stay in sight, so tests/unit/desk/test_masking_hints.py makes texts of every pattern. The file reads like
signs.py, from top to bottom.
"""

import re
from itertools import groupby

# Parts of patterns, each of which begins with a character that stands for itself.
_MODELS = (
    *("gpt", "deep[ -]?seek", "qw[eq]", "qvq", "mixtral", "codestral", "m(?:ath|ini)stral", "pixtral", "chatglm"),
    *("internlm", "baichuan", "nemotron", "wizard", "metamath-", "olmo", "stablelm", "starcoder", "llama", "smollm"),
    *("openchat", "gigachat", "hunyuan", "doubao", "minimax-m", "exaone", "hyperclova", "ernie", "claude"),
    *("gemini", "command[ -]r", "dbrx", "copilot", "mistral", "phi(?![a-z]{2})", r"glm-\d", r"yi-\d", r"o[134]-[mp]"),
    *("falcon", "grok", "gemma", "bard", "orca", "vicuna", "alpaca", "kimi", "granite", "nova", "jamba"),
)
_MAKERS = (
    *("open ?ai", "anthropic", "deepmind", "hugging ?face", "alibaba", "tongyi", "xai", "nous research", "eleuther"),
    *("trained by", "developed by", "created by", "built by", "made by", "fine-tuned by", "designed by", "ai21"),
)
_ENGLISH = (
    *(r" ai(?![a-z\d])", r"a\.i\.", "artificial intelligence", "language model", r"llm(?![a-z\d])", "chatbot"),
    *("virtual assistant", "digital assistant", "my knowledge", "my training", "of my last", "of my latest"),
)
_LATIN = (
    *(r" [ik][ai](?![a-z\d])", r"'ia(?![a-z\d])", r"’ia(?![a-z\d])", "sonoia", "comeia", "en tant qu", "in quanto"),
    *("kunstliche int", "intelligence art", "inteligencia art", "intelligenza art", "sztuczna int", "kunstmatige int"),
    *("sprachmodell", "modele de", "modelo de", "modello ling", "taalmodel", "model jezyk", "yapay zeka", "essendo"),
    *("assistant virt", "asistente", "assistente"),
)
_CHAT = (
    *(r"<[|｜/]", r"<</?sys>>", "<(?:start|end)_of_", "<(?:extra|reserved|unused)", "◁"),
    r"<(?:s|[beu]os|unk|pad|mask|think|thinking|thought|scratchpad|reasoning|reflection|answer|assistant|system|"
    r"user|human|tool_call|tool_response|function_calls?|seed:think|begin_of_thought|end_of_thought)>",
    r"\[/?(?:inst|tool_|available_|system_)",
    *(rf"{who}(?:\*\*)?[ \t]{{0,3}}:" for who in ("assistant", "human", "user", "instruction", "response")),
    *(rf"{who}[ \t]{{0,3}}:" for who in ("system", "model", "ai", "bot")),
)
_PLACES = (
    *("://", r"www\.", r"\.(?:com|org|edu|gov|net|io|ai|dev|co|me|app|gg|de|uk|fr|cn|eu|ch)/"),
    *("@", r"\[ ?at ?[\])]", r"\( ?at ?[\])]", "/u/"),
)
_LINES = ("phone", "tel", "mobile", "whatsapp", "fax")
_PHONE = (
    *(r"\+[1-9][\d .()-]{7}", r"\(\d{3}\) ?\d{3}-", *(rf"{digit}\d\d[-.]\d{{3}}[-.]\d" for digit in range(10))),
    *(rf"{word}\.?[ \t]?(?:number|no\.?)?[ \t]?:?[ \t]\+?\(?\d" for word in _LINES),
)
_CREDENTIAL = (
    *(rf"{kind}-[\w-]{{20}}" for kind in ("sk", "rk", "pk")),
    *(r"akia\w{16}", r"asia\w{16}", "gh[pousr]_", "github_pat_", "hf_", "xox", "aiza", "gsk_", "eyj", "-----begin"),
)
_SIGNED = (
    *("author", "written by", "solution by", "solved by", "submitted by", "prepared by", "annotator", "contact"),
    *("regards", "sincerely", "cheers", "yours truly"),
)


def _grouped(*parts: str) -> re.Pattern[str]:
    """One pattern of them all that looks at each character once: those with the same first one stand together."""
    groups = groupby(sorted(parts, key=_first), key=_first)
    return re.compile("|".join(f"{first}(?:{'|'.join(part[len(first) :] for part in same)})" for first, same in groups))


def _first(part: str) -> str:
    return part[:2] if part[0] == "\\" else part[0]


HINTS = _grouped(*_MODELS, *_MAKERS, *_ENGLISH, *_LATIN, *_CHAT, *_PLACES, *_PHONE, *_CREDENTIAL, *_SIGNED)


def may_hold_signs(plain_text: str) -> bool:
    """Whether a plain text (disguise.py) has to be searched; False only where it surely holds no sign.

    >>> may_hold_signs("3 + 4 = 7"), may_hold_signs("Ask ChatGPT.")
    (False, True)
    """
    return HINTS.search(plain_text.lower()) is not None
