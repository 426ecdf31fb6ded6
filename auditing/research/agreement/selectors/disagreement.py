"""How often people disagree within a counted round, by the complexity of its segment."""

from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.models import Round
from hdag.core.levels import Complexity


def pairs_by_complexity() -> dict[str, tuple[int, int]]:
    """Complexity -> (pairs of pass and fail, all pairs) over people's counted rounds; no simulated reviewers."""
    rounds = Round.objects.filter(stage=RoundStage.TALLIED, tier=Tier.HUMAN, audit__is_simulated=False)
    pairs = {str(level): (0, 0) for level in Complexity}
    for level, tally in rounds.values_list("segment__complexity", "tally"):
        passes, fails = (tally or {}).get("passes", 0), (tally or {}).get("fails", 0)
        votes, (apart, total) = passes + fails, pairs[level]
        # p passes and f fails make p * f pairs that disagree, out of n (n - 1) / 2: 3 and 2 give 6 of 10.
        pairs[level] = (apart + passes * fails, total + votes * (votes - 1) // 2)
    return pairs
