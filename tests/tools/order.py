"""The order of the test files: the longest first, so that no core is idle while another runs a long one to its end."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BROWSER = ROOT / "browser"
# Files of more than about fifteen seconds of work; `make test` keeps this order (--no-loadscope-reorder).
LONGEST = (
    "jobs/test_serve.py",
    "rooms/ledger/test_stories.py",
    "pages/test_blindness.py",
    "unit/test_audit_command.py",
    "rooms/gold/test_decoy_placing.py",
    "jobs/test_model_seats.py",
    "pages/test_policies.py",
    "jobs/test_models_without_an_answer.py",
    "rooms/consensus/test_waves.py",
    "jobs/test_ten_records.py",
    "pages/test_every_parameter.py",
    "unit/checker/test_safety.py",
    "pages/test_long_traces.py",
    "unit/checker/test_long_traces.py",
    "jobs/test_crash_points.py",
    "rooms/gold/test_wholes.py",
    "pages/test_every_page.py",
    "api/test_description.py",
    "jobs/test_random_sample.py",
    "verifier/test_liar.py",
    "jobs/test_tls.py",
    "unit/checker/test_said_again.py",
    "unit/checker/test_asked_once.py",
    "jobs/test_old_worker.py",
    "rooms/consensus/test_overruled.py",
    "verifier/test_older_audits.py",
    "unit/ledger/test_own_key_js.py",
    "unit/rendering/test_text.py",
    "jobs/test_worker_killed.py",
    "verifier/test_verify_audit.py",
    "jobs/test_another_host.py",
    "jobs/test_routed_by.py",
    "jobs/test_batches.py",
    "sockets/test_attack.py",
    "jobs/test_endpoint_command.py",
    "jobs/test_qualification.py",
    # Whoever is at the last two tests of a file is given the next one: behind the file of two long tests stands a short
    # one, for what stands there waits for minutes while the other processes run out of files.
    "browser/test_every_page.py",
    "browser/test_set_page.py",
    "browser/test_desk.py",
    "browser/test_conduct_look.py",
    "browser/test_desk_hands.py",
    "browser/test_nothing_is_lost.py",
    "browser/test_policy_look.py",
    "browser/test_verify.py",
    "browser/test_trace_look.py",
    "browser/test_passages.py",
    "browser/test_research_look.py",
    "browser/test_desk_goes_on.py",
    "browser/test_find.py",
    "browser/test_workbench.py",
    "browser/test_vote_asked_back.py",
    "browser/test_soundness_look.py",
    "browser/test_look.py",
    "browser/test_by_keyboard.py",
    "browser/test_calm.py",
)
_PLACES = {ROOT / name: place for place, name in enumerate(LONGEST)}


def place_of(path: Path) -> tuple[bool, int]:
    """Browser tests last of all: Playwright leaves a running loop in the thread, on which asyncio tests would fail."""
    return path.is_relative_to(BROWSER), _PLACES.get(path, len(LONGEST))
