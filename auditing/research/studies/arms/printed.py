"""What TRUST prints in tables 1 to 3, to stand beside our rows."""

__all__ = ["FIGURE5_NOTE", "SHARES", "TABLE1", "TABLE2", "TABLE3"]

SHARES = (0.0, 0.05, 0.10, 0.15, 0.20)
FIGURE5_NOTE = "Figure 5 of the paper draws the first column of its table 1."
# Accuracy in % at each share.
TABLE1: dict[str, tuple[float, ...]] = {
    "TRUST": (72.4, 70.2, 67.5, 65.8, 63.4),
    "Majority Voting": (68.7, 66.8, 64.9, 63.4, 61.4),
    "Supermajority": (68.7, 66.8, 65.0, 63.2, 61.2),
    "Weighted Voting": (68.1, 66.4, 64.5, 62.7, 60.9),
    "Unanimous": (45.6, 46.1, 46.5, 46.8, 47.4),
    "DeepSeek-R1-8B": (67.7, 65.9, 64.2, 62.5, 60.5),
    "Qwen2.5-7B": (67.4, 65.7, 64.1, 62.1, 60.5),
    "Mistral-7B": (66.8, 65.2, 63.6, 61.8, 60.1),
    "DeepSeek-R1-1.5B": (64.1, 62.9, 61.2, 59.7, 58.5),
    "GPT-OSS-20B": (63.8, 62.5, 60.9, 59.7, 58.4),
    "LLaMA-3B": (52.1, 51.9, 51.7, 51.4, 51.3),
}
# Accuracy in %, self-approval less other-approval in points.
TABLE2: dict[str, tuple[float, float | None]] = {
    "TRUST": (34.1, None),
    "Supermajority": (30.5, None),
    "Majority": (26.8, None),
    "Weighted": (16.9, None),
    "GPT-OSS-20B": (60.9, 44.4),
    "Qwen-7B": (38.4, None),
    "DeepSeek R1-1.5B": (21.9, -11.3),
    "Llama-3B": (16.2, None),
    "Mistral-7B": (15.9, None),
    "DeepSeek R1-8B": (15.2, None),
}
# F1 and Brier; ten problems, so that a share of 8 in 10 has a Wilson interval from .49 to .94.
TABLE3: dict[str, tuple[float, float]] = {
    "R1-8B": (0.50, 0.500),
    "Qwen 7B": (0.50, 0.486),
    "Mistral 7B": (0.50, 0.500),
    "R1-1.5B": (0.40, 0.500),
    "GPT-OSS-20B": (0.50, 0.544),
    "LLaMA-3B": (0.30, 0.890),
    "centralized human audit": (0.77, 0.34),
    "TRUST, HDAG": (0.89, 0.074),
    "TRUST, random segments": (0.40, 0.49),
    "TRUST, fixed short segments": (0.40, 0.49),
    "TRUST, fixed long segments": (0.40, 0.49),
}
