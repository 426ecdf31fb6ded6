"""The known servers. Each entry names what its documentation says, where, and when that was read.

The order counts: of two dialects of one host, the one for certain models comes first.
"""

from hdag.chat.dialects import ANY_NAME, OPENAI_BATCHES, RESPONSES_LIMIT, Dialect
from hdag.chat.endpoint import AnswerMode

__all__ = ["DIALECTS", "UNKNOWN", "find_dialect", "get_dialect"]

_THINKERS = ("gpt-5", "o1", "o3", "o4")
_OWN_BATCHES = "a form of its own, not spoken here"
_OPENAI_BATCHES = f"{OPENAI_BATCHES}: developers.openai.com/api/docs/guides/batch (2026-11-23)"
# A deployment of the sort "Global Batch".
_AZURE_BATCHES = f"{OPENAI_BATCHES}: learn.microsoft.com/azure/ai-foundry/openai/how-to/batch (2026-11-23)"
_ROOM = 12_000  # tokens of thinking beside an answer: hidden thoughts count as tokens of the answer

UNKNOWN = Dialect(
    name="unknown",
    title="Another server",
    sources=("nothing is assumed but the protocol: probe it",),
)

_KNOWN = (
    # Answered at the other door only: by chat they are 404.
    Dialect(
        name="openai-responses",
        title="OpenAI, pro and codex models, by the Responses API",
        sources=(
            "developers.openai.com/api/docs/guides/migrate-to-responses (2026-11-23)",
            "github.com/docker/docker-agent/issues/313 (2025-09-26): only supported in v1/responses",
        ),
        hosts=("api.openai.com",),
        models=("gpt-5*-pro", "gpt-5*-codex", "o1-pro", "o3-pro", "codex-"),
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        limit_field=RESPONSES_LIMIT,
        sends_temperature=False,
        thinking_tokens=_ROOM,
        context_tokens=200_000,
    ),
    # Reasoning models refuse max_tokens and any temperature but 1; hidden thoughts count against the limit.
    Dialect(
        name="openai-reasoning",
        title="OpenAI, GPT-5 and o-series",
        sources=(
            "developers.openai.com/api/docs/guides/reasoning (2026-11-22)",
            "github.com/griptape-ai/ComfyUI-Griptape/issues/312 (2025-08-22): max_tokens is refused",
            "github.com/johny-b/llmcomp/issues/69 (2026-04-20): temperature 0 is refused",
        ),
        hosts=("api.openai.com",),
        models=_THINKERS,
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        limit_field="max_completion_tokens",
        sends_temperature=False,
        thinking_tokens=_ROOM,
        context_tokens=200_000,
        batches=_OPENAI_BATCHES,
    ),
    Dialect(
        name="openai",
        title="OpenAI, GPT-4o and GPT-4.1",
        sources=(
            "developers.openai.com/api/docs/guides/structured-outputs (2026-11-22): strict subset of JSON Schema",
        ),
        hosts=("api.openai.com",),
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        limit_field="max_completion_tokens",
        gives_logprobs=True,
        most_tokens=16_000,
        context_tokens=128_000,
        batches=_OPENAI_BATCHES,
    ),
    # A deployment's name is the operator's own; answers carry the model behind it.
    Dialect(
        name="azure-reasoning",
        title="Azure OpenAI, GPT-5 and o-series deployments",
        sources=("github.com/anomalyco/opencode/issues/37964 (2026-07-20): max_tokens is refused on Azure too",),
        hosts=("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"),
        models=_THINKERS,
        key_variable="AZURE_OPENAI_API_KEY",
        limit_field="max_completion_tokens",
        sends_temperature=False,
        thinking_tokens=_ROOM,
        answers_as=ANY_NAME,
        context_tokens=200_000,
        batches=_AZURE_BATCHES,
    ),
    Dialect(
        name="azure",
        title="Azure OpenAI",
        sources=("learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs (2026-11-22)",),
        hosts=("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"),
        key_variable="AZURE_OPENAI_API_KEY",
        most_tokens=16_000,
        answers_as=ANY_NAME,
        context_tokens=128_000,
        batches=_AZURE_BATCHES,
    ),
    # Answers json_schema with 400; old names of models are aliases of new ones.
    Dialect(
        name="deepseek-reasoner",
        title="DeepSeek, thinking models",
        sources=(
            "api-docs.deepseek.com/guides/json_mode (2026-11-22): json_object, and the word json in the prompt",
            "github.com/Aider-AI/aider/pull/4125 (2025-05-29): max_tokens to 65,536",
        ),
        hosts=("api.deepseek.com",),
        models=("deepseek-reasoner", "deepseek-r"),
        base_url="https://api.deepseek.com/v1",
        key_variable="DEEPSEEK_API_KEY",
        answer_mode=AnswerMode.OBJECT,
        thinking_tokens=_ROOM,
        answers_as=ANY_NAME,
        context_tokens=64_000,
    ),
    # An answer has 8,192 tokens at the most, and more is refused.
    Dialect(
        name="deepseek",
        title="DeepSeek",
        sources=(
            "api-docs.deepseek.com/guides/json_mode (2026-11-22): json_object, and the word json in the prompt",
            "github.com/llm-exe/llm-exe/issues/662 (2026-07-11): json_schema is refused",
            "github.com/Gitlawb/openclaude/issues/35 (2026-04-01): max_tokens from 1 to 8,192",
        ),
        hosts=("api.deepseek.com",),
        base_url="https://api.deepseek.com/v1",
        key_variable="DEEPSEEK_API_KEY",
        answer_mode=AnswerMode.OBJECT,
        thinking_tokens=_ROOM,
        most_tokens=8_192,
        answers_as=ANY_NAME,
        context_tokens=64_000,
    ),
    # Refuses every field that it does not know with 422; max_completion_tokens is one of them.
    Dialect(
        name="mistral",
        title="Mistral",
        sources=(
            "docs.mistral.ai/api (2026-11-22)",
            "github.com/editor-code-assistant/eca/issues/231 (2025-12-12): max_completion_tokens is refused with 422",
        ),
        hosts=("api.mistral.ai",),
        base_url="https://api.mistral.ai/v1",
        key_variable="MISTRAL_API_KEY",
        answers_as=ANY_NAME,  # a name that ends in -latest answers under its version
        context_tokens=128_000,
        batches=f"{_OWN_BATCHES}: docs.mistral.ai/capabilities/batch (2026-11-23)",
    ),
    # Older documentation says that response_format is ignored; newer servers refuse strict false and bounds. Models
    # since Opus 4.7 refuse any temperature, older ones answer without one.
    Dialect(
        name="anthropic",
        title="Anthropic, through its compatible endpoint",
        sources=(
            "platform.claude.com/docs/en/build-with-claude/structured-outputs (2026-11-22): no bounds in schemas",
            "docs.anthropic.com/en/api/openai-sdk (2026-11-22): temperature 0 to 1, system messages are hoisted",
            "github.com/chrisvel/tududi/issues/1383 (2026-08-11): strict must be true",
            "github.com/The-PR-Agent/pr-agent/issues/2456 (2026-06-18): a temperature is refused",
        ),
        hosts=("api.anthropic.com",),
        base_url="https://api.anthropic.com/v1",
        key_variable="ANTHROPIC_API_KEY",
        sends_temperature=False,
        answers_as=ANY_NAME,  # aliases answer under their dated name
        context_tokens=200_000,
        batches=f"{_OWN_BATCHES}: platform.claude.com/docs/en/build-with-claude/batch-processing (2026-11-23)",
    ),
    # Thoughts stand in total_tokens only; an enum holds strings, none of them empty.
    Dialect(
        name="gemini",
        title="Google Gemini, through its compatible endpoint",
        sources=(
            "ai.google.dev/gemini-api/docs/openai (2026-11-22)",
            "github.com/sbroenne/mcp-server-excel/issues/607 (2026-04-24): empty words in an enum are refused",
        ),
        hosts=("generativelanguage.googleapis.com",),
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variable="GEMINI_API_KEY",
        thinking_tokens=_ROOM,
        answers_as=ANY_NAME,
        context_tokens=200_000,
        batches=f"{_OWN_BATCHES}: ai.google.dev/gemini-api/docs/batch-api (2026-11-23)",
    ),
    # Routes to many servers; only those that take every field of the request may answer.
    Dialect(
        name="openrouter",
        title="OpenRouter",
        sources=("openrouter.ai/docs/api/reference/overview (2026-11-22)",),
        hosts=("openrouter.ai",),
        base_url="https://openrouter.ai/api/v1",
        key_variable="OPENROUTER_API_KEY",
        extra_body={"provider": {"require_parameters": True}},
        thinking_tokens=_ROOM,
        answers_as=ANY_NAME,
        context_tokens=64_000,
    ),
    Dialect(
        name="vllm",
        title="vLLM",
        sources=("docs.vllm.ai/en/stable/features/reasoning_outputs (2026-11-22)",),
        base_url="http://127.0.0.1:8000/v1",
        thinking_tokens=4_000,
    ),
    # A grammar is built from the schema; bounds of 2,000 and more break some builds.
    Dialect(
        name="llamacpp",
        title="llama.cpp server",
        sources=(
            "github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (2026-11-22)",
            "github.com/ggml-org/llama.cpp/issues/25746 (2026-07-16): maxLength of 2,000 and more",
        ),
        base_url="http://127.0.0.1:8080/v1",
        thinking_tokens=4_000,
        answers_as=ANY_NAME,  # the name of a file
        context_tokens=8_000,
    ),
    Dialect(
        name="ollama",
        title="Ollama",
        sources=(
            "docs.ollama.com/api/openai-compatibility (2026-11-22): max_tokens, response_format, reasoning_effort",
        ),
        base_url="http://127.0.0.1:11434/v1",
        thinking_tokens=4_000,
    ),
)

DIALECTS = {dialect.name: dialect for dialect in (UNKNOWN, *_KNOWN)}


def get_dialect(*, name: str) -> Dialect:
    """The dialect of that name; UNKNOWN for a name that this version does not know.

    >>> get_dialect(name="deepseek").answer_mode.value, get_dialect(name="").name
    ('json_object', 'unknown')
    """
    return DIALECTS.get(name, UNKNOWN)


def find_dialect(*, base_url: str, model: str) -> Dialect:
    """The dialect that the address and the model's name point to, else UNKNOWN.

    >>> find_dialect(base_url="https://api.openai.com/v1", model="gpt-5-mini").name
    'openai-reasoning'
    >>> find_dialect(base_url="http://127.0.0.1:11434/v1", model="qwen3").name
    'unknown'
    """
    matches = (dialect for dialect in _KNOWN if dialect.is_for(base_url=base_url, model=model))
    return next(matches, UNKNOWN)
