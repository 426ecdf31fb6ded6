"""Macro-F1 that the ARES paper prints on ClaimTrees for GPT-4o-mini, by kind of chain (tables 1 and A9 to A11)."""

from collections.abc import Mapping

__all__ = ["LINES", "PRINTED"]

LINES: Mapping[str, tuple[float, float, float, float, float]] = {
    # chains of 5, 10, 20, 30 and 50
    "ARES-1": (0.873, 0.936, 0.978, 0.971, 0.890),
    "ARES-0.95": (0.854, 0.931, 0.971, 0.929, 0.867),
    "ARES-bin-1": (0.891, 0.962, 0.963, 0.969, 0.886),
    "ARES-bin-0.95": (0.902, 0.948, 0.968, 0.956, 0.888),
    "Entail-Prev": (0.673, 0.538, 0.440, 0.387, 0.340),
    "Entail-Base": (0.824, 0.616, 0.522, 0.499, 0.486),
    "ROSCOE-LI-Self": (0.351, 0.420, 0.414, 0.460, 0.504),
    "ROSCOE-LI-Source": (0.640, 0.533, 0.480, 0.461, 0.442),
    "ReCEval-Intra": (0.332, 0.330, 0.331, 0.343, 0.343),
    "ReCEval-Inter": (0.638, 0.555, 0.482, 0.464, 0.428),
    "LLM-Judge": (0.803, 0.750, 0.586, 0.482, 0.385),
}
_METHODS = (
    "ARES-1",
    "ARES-0.95",
    "Entail-Prev",
    "Entail-Base",
    "ROSCOE-LI-Self",
    "ROSCOE-LI-Source",
    "ReCEval-Intra",
    "ReCEval-Inter",
    "LLM-Judge",
)
# None: the paper prints no such row.
_APART: Mapping[str, tuple[float | None, ...]] = {
    "wide, 3 sources of depth 3": (0.941, 0.927, 0.863, 0.837, 0.181, 0.497, 0.181, 0.449, 0.875),
    "wide, 3 sources of depth 5": (None, 0.887, 0.761, 0.610, 0.460, 0.340, 0.161, 0.356, 0.796),
    "wide, 5 sources of depth 3": (0.880, 0.875, 0.799, 0.729, 0.097, 0.380, 0.097, 0.357, 0.770),
    "wide, 5 sources of depth 5": (0.920, 0.920, 0.783, 0.610, 0.462, 0.321, 0.094, 0.310, 0.881),
    "line of 5, errors inserted: 1": (0.965, 0.994, 0.982, 0.813, 0.942, 0.545, 0.167, 0.590, 1.000),
    "line of 5, errors inserted: 2": (1.000, 0.996, 0.985, 0.815, 0.956, 0.555, 0.250, 0.594, 0.967),
    "line of 5, errors inserted: 5": (0.989, 0.998, 0.989, 0.936, 0.943, 0.649, 0.357, 0.642, 0.982),
}
_RECIPES: Mapping[str, float] = {
    "ARES": 0.633,
    "Entail-Prev": 0.428,
    "Entail-Base": 0.589,
    "ROSCOE-LI-Self": 0.483,
    "ROSCOE-LI-Source": 0.361,
    "ReCEval-Intra": 0.396,
    "ReCEval-Inter": 0.361,
    "LLM-Judge": 0.530,
}
PRINTED: Mapping[str, Mapping[str, float]] = {
    **{
        f"line of {n}": {name: row[column] for name, row in LINES.items()}
        for column, n in enumerate((5, 10, 20, 30, 50))
    },
    **{
        name: {method: value for method, value in zip(_METHODS, row, strict=True) if value is not None}
        for name, row in _APART.items()
    },
    "recipe of 15, one ingredient missing": _RECIPES,
}
"""By set, then by method. Recipes are those of CaptainCook4D; sets that the paper does not have are absent."""
