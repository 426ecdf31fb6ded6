"""Run by the throw-away environment of test_training.py: real `datasets` and `trl` on exported files.

Arguments: a folder written as Hugging Face export, then the JSONL files of DPO, SFT, reward-model and GRPO rows. Trains
twenty steps on one batch of each and prints JSON: losses by step, and which tokens of a dialogue are learnt.
The model is a random GPT-2 of two layers with a tokenizer made on the spot: nothing is downloaded.
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

# Only what stands between the marks of generation is learnt: neither the question nor what a tool answered. The mark
# closes on a word: where it closed on a blank, which is no token, everything behind it would be learnt.
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }} "
    "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] }} [EOS]{% endgeneration %}"
    "{% else %}{{ message['content'] }} [EOS]{% endif %} {% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)
STEPS, BATCH = 20, 4


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


def texts_of(pairs, dialogues, groups):
    texts = [row[name] for row in pairs for name in ("prompt", "chosen", "rejected")]
    texts += [message["content"] for row in dialogues for message in row["messages"]]
    return texts + [row[name] for row in groups for name in ("prompt", "completion")]


def one_batch(rows, *names):
    """The same four rows in every step."""
    return Dataset.from_list([{name: row[name] for name in names} for row in rows[:BATCH]])


def learnt(trainer, tokenizer):
    """(learnt, masked) words of the one batch, as the trainer's own collator gives them to the model."""
    batch = trainer.data_collator([trainer.train_dataset[n] for n in range(len(trainer.train_dataset))])
    kept, masked = [], []
    for ids, labels in zip(batch["input_ids"].tolist(), batch["labels"].tolist(), strict=True):
        for token, label in zip(ids, labels, strict=True):
            (masked if label == -100 else kept).append(token)
    return tokenizer.decode(kept), tokenizer.decode(masked)


def losses_of(trainer):
    trainer.train()
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def advantage_losses(model, tokenizer, rows):
    """-advantage * log P(completion | prompt) of exported groups, twenty steps: the rows as they stand, no sampling."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(STEPS):
        total = torch.zeros(())
        for row in rows[:BATCH]:
            prompt = tokenizer(row["prompt"] + " ", return_tensors="pt")["input_ids"]
            whole = tokenizer(row["prompt"] + " " + row["completion"], return_tensors="pt")["input_ids"]
            logits = model(whole).logits[0, :-1].log_softmax(-1)
            chosen = logits[range(whole.shape[1] - 1), whole[0, 1:]]
            total = total - row["advantage"] * chosen[prompt.shape[1] - 1 :].mean()
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        losses.append(float(total.detach()))
    return losses


def main():
    folder, *files = sys.argv[1:6]
    table = load_dataset(folder, split="train")
    result = {
        "rows": table.num_rows,
        "features": {name: str(getattr(kind, "dtype", kind)) for name, kind in table.features.items()},
        "first": {name: str(value) for name, value in table[0].items()},
    }
    pairs, dialogues, rewards, groups = map(rows_of, files)
    tokenizer = tokenizer_of(texts_of(pairs, dialogues + rewards, groups))
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as folder_of_model:
        common = {
            "output_dir": out,
            "max_steps": STEPS,
            "per_device_train_batch_size": BATCH,
            "learning_rate": 5e-3,
            "lr_scheduler_type": "constant",
            "report_to": [],
            "use_cpu": True,
            "save_strategy": "no",
            "logging_steps": 1,
            "bf16": False,
            "gradient_checkpointing": False,
        }

        def fresh():
            return tiny(tokenizer, folder_of_model)

        dpo = DPOTrainer(
            model=fresh(),
            args=DPOConfig(**common, beta=0.1),
            train_dataset=one_batch(pairs, "prompt", "chosen", "rejected"),
            processing_class=tokenizer,
        )
        result["dpo"] = losses_of(dpo)
        for name, rows in (("sft", dialogues), ("reward", rewards)):
            trainer = SFTTrainer(
                model=fresh(),
                args=SFTConfig(**common, max_length=256, assistant_only_loss=True),
                train_dataset=one_batch(rows, "messages"),
                processing_class=tokenizer,
            )
            result[f"{name} learnt"], result[f"{name} masked"] = learnt(trainer, tokenizer)
            result[name] = losses_of(trainer)
        grpo = GRPOTrainer(
            model=fresh(),
            reward_funcs=lambda completions, **rest: [float(len(c) % 2) for c in completions],
            args=GRPOConfig(**{**common, "max_steps": 2}, num_generations=2, max_completion_length=8),
            train_dataset=Dataset.from_list([{"prompt": row["prompt"]} for row in groups]),
            processing_class=tokenizer,
        )
        result["grpo sampled steps"] = grpo.train().global_step
        result["grpo"] = advantage_losses(fresh(), tokenizer, groups)
    print("RESULT " + json.dumps(result))


main()
