"""The order of the test files: the longest first, so that no core is idle while another runs a long one to its end."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BROWSER = ROOT / "browser"
# Files of more than about fifteen seconds of work; `make test` keeps this order (--no-loadscope-reorder).
LONGEST = (
    "jobs/test_serve.py",
    "pages/test_blindness.py",
    "rooms/ledger/test_stories.py",
    "pages/test_every_parameter.py",
    "jobs/test_ten_records.py",
    "rooms/gold/test_decoy_placing.py",
    "jobs/test_random_sample.py",
    "unit/chat/test_dialects.py",
    "rooms/consensus/test_waves.py",
    "pages/test_anonymity.py",
    "jobs/test_endpoint_command.py",
    "jobs/test_model_seats.py",
    "unit/checker/test_safety.py",
    "jobs/test_crash_points.py",
    "unit/checker/test_long_traces.py",
    "jobs/test_routed_by.py",
    "jobs/test_old_worker.py",
    "pages/test_policies.py",
    "pages/test_every_page.py",
    "jobs/test_qualification.py",
    "rooms/gold/test_wholes.py",
    "pages/test_long_traces.py",
    "pages/test_doors.py",
    "rooms/consensus/test_overruled.py",
    "verifier/test_liar.py",
    "pages/test_as_before.py",
    "pages/test_headers.py",
    "rooms/research/test_experiments.py",
    "rooms/gold/test_decoys.py",
    "rooms/consensus/test_weight_sources.py",
    "verifier/test_older_audits.py",
    "rooms/conduct/test_conduct.py",
    "api/test_description.py",
    "sockets/test_hostile_pages.py",
    # Files of one long test: whoever begins one is given the next file at once, so that a short one stands behind them.
    "browser/test_every_page.py",
    "browser/test_desk.py",
    "browser/test_desk_hands.py",
    "browser/test_nothing_is_lost.py",
    "browser/test_desk_goes_on.py",
    "browser/test_calm.py",
)
_PLACES = {ROOT / name: place for place, name in enumerate(LONGEST)}


def place_of(path: Path) -> tuple[bool, int]:
    """Browser tests last of all: Playwright leaves a running loop in the thread, on which asyncio tests would fail."""
    return path.is_relative_to(BROWSER), _PLACES.get(path, len(LONGEST))
