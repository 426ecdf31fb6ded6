"""Run by the throw-away environment of test_training.py: real `datasets` and `trl` on exported files.

Arguments: a folder written as Hugging Face export, then the JSONL files of DPO, SFT and GRPO rows. Prints JSON.
The model is a random GPT-2 of two layers with a tokenizer made on the spot: nothing is downloaded, nothing is learnt.
"""

import json
import os
import sys
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TRANSFORMERS_OFFLINE="1", WANDB_DISABLED="true")

import torch
from datasets import Dataset, load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }} {{ message['content'] }} [EOS] {% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)


def tokenizer_of(texts):
    words = sorted({word for text in texts for word in text.split()})
    special = ["[PAD]", "[UNK]", "[EOS]", "user", "assistant", "tool"]
    vocabulary = {word: place for place, word in enumerate([*special, *words])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", eos_token="[EOS]", chat_template=TEMPLATE
    )


def tiny(tokenizer, folder):
    """Saved and loaded again, because DPOTrainer makes its reference model from the name of the model."""
    torch.manual_seed(1)
    size = {"n_layer": 2, "n_head": 2, "n_embd": 32, "n_positions": 512}
    ids = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), **size, **ids)).save_pretrained(folder)
    return GPT2LMHeadModel.from_pretrained(folder)


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    folder, dpo, sft, grpo = sys.argv[1:5]
    found = load_dataset(folder, split="train")
    said = {
        "rows": found.num_rows,
        "features": {name: str(getattr(kind, "dtype", kind)) for name, kind in found.features.items()},
        "first": {name: str(value) for name, value in found[0].items()},
    }
    pairs, dialogues, groups = map(rows_of, (dpo, sft, grpo))
    texts = [json.dumps(row, ensure_ascii=False) for row in pairs + dialogues + groups]
    texts += [row[name] for row in pairs for name in ("prompt", "chosen", "rejected")]
    texts += [message["content"] for row in dialogues for message in row["messages"]]
    tokenizer = tokenizer_of(texts)
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as folder_of_model:
        common = {
            "output_dir": out,
            "max_steps": 2,
            "per_device_train_batch_size": 2,
            "report_to": [],
            "use_cpu": True,
            "save_strategy": "no",
            "logging_steps": 1,
            "bf16": False,
            "gradient_checkpointing": False,
        }
        for name, trainer in (
            (
                "dpo",
                lambda: DPOTrainer(
                    model=tiny(tokenizer, folder_of_model),
                    args=DPOConfig(**common, beta=0.1),
                    train_dataset=Dataset.from_list(
                        [{k: row[k] for k in ("prompt", "chosen", "rejected")} for row in pairs]
                    ),
                    processing_class=tokenizer,
                ),
            ),
            (
                "sft",
                lambda: SFTTrainer(
                    model=tiny(tokenizer, folder_of_model),
                    args=SFTConfig(**common, max_length=256),
                    train_dataset=Dataset.from_list([{"messages": row["messages"]} for row in dialogues]),
                    processing_class=tokenizer,
                ),
            ),
            (
                "grpo",
                lambda: GRPOTrainer(
                    model=tiny(tokenizer, folder_of_model),
                    reward_funcs=lambda completions, **rest: [float(len(c) % 2) for c in completions],
                    args=GRPOConfig(**common, num_generations=2, max_completion_length=8),
                    train_dataset=Dataset.from_list([{"prompt": row["prompt"]} for row in groups]),
                    processing_class=tokenizer,
                ),
            ),
        ):
            result = trainer().train()
            said[name] = {"steps": result.global_step, "loss": result.training_loss}
    print("RESULT " + json.dumps(said))


main()
