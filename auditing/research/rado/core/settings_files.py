"""The settings of RADO's appendix A as files that TRL and LLaMA-Factory read; only model and paths are left to fill in.

Source: RADO, appendix A (rates, epochs, lengths, sampling); huggingface.co/docs/trl/clis; LLaMA-Factory, examples/ and
data/README.md (names of the keys).
"""

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["settings_files"]

_MODEL = "MODEL"  # to be replaced by a name or a path
_ADAM: Mapping[str, Any] = {"optim": "adamw_torch", "adam_beta1": 0.9, "adam_beta2": 0.999, "adam_epsilon": 1e-8}
_SFT: Mapping[str, Any] = {
    "learning_rate": 1.0e-5,
    "num_train_epochs": 7,
    "per_device_train_batch_size": 2,
    "gradient_accumulation_steps": 1,
    **_ADAM,
}
_DPO: Mapping[str, Any] = {**_SFT, "learning_rate": 5.0e-6, "warmup_ratio": 0.1}
_GRPO: Mapping[str, Any] = {
    "learning_rate": 2.0e-5,
    "num_train_epochs": 3,
    "per_device_train_batch_size": 4,
    "num_generations": 4,
    "temperature": 1.0,
    "top_p": 1.0,
    "beta": 0.1,
    **_ADAM,
}
_LENGTH = 4096


def settings_files() -> dict[str, str]:
    """Name -> text of each file.

    >>> sorted(settings_files())[:2]
    ['llamafactory/dataset_info.json', 'llamafactory/dpo.yaml']
    """
    files = {f"trl/{name}.yaml": _yaml(settings) for name, settings in _trl().items()}
    files |= {f"llamafactory/{name}.yaml": _yaml(settings) for name, settings in _llama_factory().items()}
    files["llamafactory/dataset_info.json"] = json.dumps(_dataset_info(), indent=1) + "\n"
    return files


def _trl() -> dict[str, dict[str, Any]]:
    base = {"model_name_or_path": _MODEL, "dataset_name": "json"}

    def of(stage: str, settings: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        return {**base, "output_dir": f"out-{stage}", **settings, **more}

    # assistant_only_loss: what a tool answered is no part of what the model learns to write.
    return {
        "sft": of("sft", _SFT, max_length=_LENGTH, assistant_only_loss=True),
        "reward": of("reward", _SFT, max_length=_LENGTH, assistant_only_loss=True),
        "dpo": of("dpo", _DPO, max_length=_LENGTH, beta=0.1),
        "grpo": of("grpo", _GRPO),
    }


def _llama_factory() -> dict[str, dict[str, Any]]:
    base = {"model_name_or_path": _MODEL, "do_train": True, "finetuning_type": "full", "template": "TEMPLATE"}

    def of(stage: str, name: str, settings: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        where = {"dataset_dir": ".", "dataset": f"rado_{name}", "cutoff_len": _LENGTH, "output_dir": f"out-{name}"}
        return {**base, "stage": stage, **where, **settings, **more}

    return {
        "sft": of("sft", "sft", _SFT),
        "reward": of("sft", "reward", _SFT),
        "dpo": of("dpo", "dpo", _DPO, pref_beta=0.1, pref_loss="sigmoid"),
    }


def _dataset_info() -> dict[str, Any]:
    """How LLaMA-Factory reads the exports: messages as OpenAI writes them, pairs as prompt, chosen and rejected."""
    tags = {
        "role_tag": "role",
        "content_tag": "content",
        "user_tag": "user",
        "assistant_tag": "assistant",
        "observation_tag": "tool",
        "system_tag": "system",
    }
    messages = {"formatting": "sharegpt", "columns": {"messages": "messages"}, "tags": tags}
    pairs = {"ranking": True, "columns": {"prompt": "prompt", "chosen": "chosen", "rejected": "rejected"}}
    return {
        "rado_sft": {"file_name": "rado-sft.jsonl", **messages},
        "rado_reward": {"file_name": "rado-reward.jsonl", **messages},
        "rado_dpo": {"file_name": "rado-dpo.jsonl", **pairs},
    }


def _yaml(settings: Mapping[str, Any]) -> str:
    """One key a line; every value here is a plain YAML scalar."""
    return "".join(f"{key}: {_scalar(value)}\n" for key, value in settings.items())


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # YAML 1.1 reads 1e-05 as text: a number needs its point.
    return f"{value:.1e}" if isinstance(value, float) and value < 1e-3 else str(value)
