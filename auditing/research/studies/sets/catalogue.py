"""The public sets that studies and commands read: files, fields, licence, where they come from, who reads them.

Nothing is downloaded; `manage.py data add` takes files that somebody got there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["SETS", "PublicSet"]


@dataclass(frozen=True, slots=True)
class PublicSet:
    """One set: which files belong to it, what each record must hold, its licence and home, and who reads it."""

    name: str
    files: tuple[str, ...]  # patterns; each needs a file
    fields: tuple[str, ...]
    licence: str
    home: str
    studies: tuple[str, ...]  # and commands, such as "rado groups"


# Whatever reads labelled steps takes each of these sets by its option `dataset`.
_STEPS = ("all_steps", "benchmark", "planted", "segmentation", "soundness", "table1", "table3")
SETS: Mapping[str, PublicSet] = {
    entry.name: entry
    for entry in (
        PublicSet(
            "processbench",
            ("*.jsonl",),
            ("problem", "steps", "label"),
            "Apache-2.0",
            "huggingface.co/datasets/Qwen/ProcessBench",
            (*_STEPS, "complexity"),
        ),
        PublicSet(
            "mr_ben",
            ("*.jsonl",),
            ("Question", "Options", "Model_Solution_Steps", "Model_Solution_Correctness"),
            "MIT",
            "github.com/dvlab-research/Mr-Ben",
            _STEPS,
        ),
        PublicSet(
            "mr_gsm8k",
            ("*.jsonl",),
            (
                "question",
                "model_output_steps",
                "model_output_solution_correctness",
                "model_output_solution_first_error_step",
            ),
            "MIT",
            "github.com/dvlab-research/MR-GSM8K (dataset/MR-GSM8K.json)",
            _STEPS,
        ),
        PublicSet(
            "bigbench_mistake",
            ("*.jsonl",),
            ("input", "steps", "mistake_index"),
            "Apache-2.0",
            "github.com/WHGTyen/BIG-Bench-Mistake",
            _STEPS,
        ),
        PublicSet(
            "stepverify",
            ("dataset.jsonl",),
            ("problem", "student_incorrect_solution", "incorrect_index"),
            "CC BY 4.0",
            "github.com/eth-lre/verify-then-generate",
            _STEPS,
        ),
        PublicSet(
            "prmbench_sample",
            ("*.jsonl",),
            ("question", "modified_process", "error_steps"),
            "Apache-2.0",
            "github.com/ssmisya/PRMBench",
            _STEPS,
        ),
        PublicSet(
            "parc",
            ("*_positives.jsonl", "*_negatives.jsonl", "*_perturbed.jsonl"),
            ("question", "steps", "premise_annotation", "error_annotation"),
            "MIT",
            "github.com/SagnikMukherjee/PARC",
            ("dag_math", "soundness", "wordings"),
        ),
        PublicSet(
            "gsm8k",
            ("test.jsonl", "example_model_solutions.jsonl"),
            ("question",),
            "MIT",
            "github.com/openai/grade-school-math",
            ("consistency", "dag_math", "faithfulness", "table2"),
        ),
        PublicSet(
            "usmle_gpt4_errors",
            ("raw_annotator_level.jsonl",),
            ("id", "annotator_id", "span_annotations"),
            "MIT",
            "github.com/roysoumya/usmle-gpt4-error-taxonomy",
            ("agreement", "policy_sweep", "votes"),
        ),
        PublicSet(
            "who_and_when",
            ("algorithm_generated.jsonl",),
            ("question", "history", "mistake_agent", "mistake_step"),
            "MIT",
            "github.com/ag2ai/Agents_Failure_Attribution",
            ("attribution",),
        ),
        PublicSet(
            "deltabench",
            ("*.jsonl",),
            ("question", "sections", "error_section_numbers"),
            "none is stated",
            "github.com/OpenStellarTeam/DeltaBench (data/Deltabench_v1.jsonl)",
            _STEPS,
        ),
        PublicSet(
            "captaincook",
            ("*.jsonl",),
            ("steps", "edges", "topo_order", "step_mapped_ingredients"),
            "MIT",
            "github.com/fallcat/ares (data/recipe_graphs, 24 files)",
            ("claimtrees",),
        ),
        *(
            PublicSet(
                name,
                ("*.jsonl",),
                ("problem", "answer"),
                "CC BY-NC-SA 4.0",
                f"huggingface.co/datasets/MathArena/{home}",
                ("dag_math",),
            )
            for name, home in (
                ("aime_2024", "aime_2024_I and aime_2024_II"),
                ("aime_2025", "aime_2025"),
                ("brumo_2025", "brumo_2025"),
                ("hmmt_feb_2025", "hmmt_feb_2025"),
            )
        ),
        PublicSet(
            "omni_math",
            ("*.jsonl",),
            ("problem", "answer", "solution", "difficulty"),
            "Apache-2.0",
            "huggingface.co/datasets/KbsdJames/Omni-MATH",
            ("dag_math",),
        ),
        *(
            PublicSet(name, ("*.jsonl",), fields, licence, home, ("rado groups",))
            for name, fields, licence, home in (
                ("legalbench", ("index", "answer"), "each task its own", "github.com/HazyResearch/legalbench (tasks)"),
                ("finqa", ("pre_text", "post_text", "table", "qa"), "MIT", "github.com/czyssrs/FinQA (dataset)"),
                ("medqa", ("question", "options", "answer_idx"), "MIT", "github.com/jind11/MedQA"),
                (
                    "pubmedqa",
                    ("QUESTION", "CONTEXTS", "final_decision"),
                    "MIT",
                    "github.com/pubmedqa/pubmedqa (data/ori_pqal.json)",
                ),
                ("mmlu", ("question", "choices", "answer"), "MIT", "huggingface.co/datasets/cais/mmlu"),
                (
                    "mmlu_pro",
                    ("question", "options", "answer", "answer_index"),
                    "Apache-2.0 (its repository)",
                    "github.com/TIGER-AI-Lab/MMLU-Pro",
                ),
            )
        ),
    )
}
