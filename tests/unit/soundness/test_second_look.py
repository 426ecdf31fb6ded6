"""No claim is called unsound before everything earlier was granted to it; the second figure replaces only upward."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Oracle
from auditing.core.soundness.particles import ClaimSoundness, certify
from auditing.research.soundness.core.second_look import Context, Premises, certify_by
from auditing.research.studies.instruments.false_alarms import (
    RECORDED,
    AnnotatedJudge,
    annotated_chain,
    count_alarms,
)

# S2 uses S1 without declaring it; S3 rests on S2; S4 follows from nothing.
CHAIN = Chain(
    (BaseClaim("F1", "x = 2"),),
    (
        DerivedClaim("S1", "y = 3", ("F1",)),
        DerivedClaim("S2", "x + y = 5", ("F1",)),
        DerivedClaim("S3", "x + y + 1 = 6", ("S2",)),
        DerivedClaim("S4", "z = 9", ("F1",)),
    ),
)
NEEDED = {"S1": {"F1"}, "S2": {"F1", "S1"}, "S3": {"S2"}, "S4": {"never"}}
TRUTH = Oracle(lambda query: NEEDED[query.hypothesis_id] <= set(query.premise_ids))


def words_by(premises):
    certificate = certify_by(chain=CHAIN, model=TRUTH, seed=1, premises=premises)
    return {claim.id: claim.verdict(0.5) for claim in certificate.claims}


def test_a_claim_whose_premises_are_not_all_declared_is_sound_at_the_second_look():
    assert words_by(Premises.DECLARED) == {
        "S1": "sound",
        "S2": "local error",
        "S3": "propagated error",
        "S4": "local error",
    }
    sound = {"S1": "sound", "S2": "sound", "S3": "sound", "S4": "local error"}
    assert words_by(Premises.DECLARED_FIRST) == sound
    assert words_by(Premises.ALL) == sound


def test_the_certificate_names_what_the_second_look_replaced():
    certificate = certify_by(chain=CHAIN, model=TRUTH, seed=1)
    by_id = {claim.id: claim for claim in certificate.claims}
    assert (by_id["S1"].context, by_id["S1"].declared) == (Context.DECLARED, None)
    assert (by_id["S2"].context, by_id["S2"].declared, by_id["S2"].tau) == (Context.EARLIER, 0.0, 1.0)
    # No higher figure: the first one stays.
    assert (by_id["S4"].context, by_id["S4"].declared) == (Context.DECLARED, None)
    assert "for 2 the second, higher figure stands" in certificate.statement
    assert "everything before it" in certify_by(chain=CHAIN, model=TRUTH, seed=1, premises=Premises.ALL).statement


def test_each_look_spends_half_of_delta():
    shaky = Oracle(TRUTH.holds)
    chain = Chain((BaseClaim("F1", "x = 2", 0.5),), CHAIN.derived)
    looked = certify_by(chain=chain, model=shaky, seed=1, limits=(0.1, 0.1))
    alone = certify(chain=chain, model=shaky, seed=1, epsilon=0.1, delta=0.05)
    assert (looked.delta, looked.particles) == (0.1, alone.particles)


def test_a_claim_below_a_later_threshold_is_open_unless_it_was_looked_at_twice():
    claim = ClaimSoundness("S1", 0.6, 0.6, 0.6, local=1.0, looked_at=0.5)
    assert (claim.verdict(0.5), claim.verdict(0.7)) == ("sound", "open")
    assert ClaimSoundness("S1", 0.4, 0.4, 0.4, local=1.0, looked_at=0.5).verdict(0.7) == "propagated error"


def record(premises, errors=(False, False, False)):
    rows = [{"step_number": n, "premises": [[p, ""] for p in cited]} for n, cited in enumerate(premises, 1)]
    labels = [{"step_number": n, "has_error": wrong} for n, wrong in enumerate(errors, 1)]
    return {
        "question": "Anna has 4 pens and Ben has 5.",
        "steps": ["Together they have 4 + 5 = 9 pens.", "One is lost, 9 - 1 = 8.", "So 8 + 4 = 12."],
        "premise_annotation": {"steps": rows},
        "error_annotation": {"error_annotations": {"step_level": labels}},
    }


@pytest.mark.parametrize("premises", [Premises.DECLARED_FIRST, Premises.ALL])
def test_a_perfect_judge_calls_no_right_step_unsound_and_finds_the_wrong_one(premises):
    # The annotated premise of the last step is the first one, which no rule declares for it.
    right = annotated_chain(name="right", record=record([[0], [1], [1, 2]]))
    wrong = annotated_chain(name="wrong", record=record([[0], [1], [2]], errors=(False, True, False)))
    counts = count_alarms(chains=[right, wrong], premises=premises, judge=(0, 0, 0), seed=1, again=False)
    assert (counts.right, counts.alarms, counts.wrong, counts.caught) == (4, 0, 1, 1)


def test_a_judge_that_errs_errs_the_same_for_the_same_seed_and_words_share_errors():
    chain = annotated_chain(name="right", record=record([[0], [1], [2]]))
    queries = [chain.chain.query(k, [True] * len(p)) for k, p in enumerate(chain.chain.parents)]
    judges = [AnnotatedJudge(chain, 0.5, RECORDED[1], 1.0, seed=seed) for seed in (1, 1, 2)]
    answers = [judge.entail(queries) for judge in judges]
    assert answers[0] == answers[1]
    again = [
        judges[0].entail([type(q)(q.premises, q.hypothesis, q.premise_ids, q.hypothesis_id, wording=3)])
        for q in queries
    ]
    assert [answer[0] for answer in again] == answers[0]


def test_the_command_reads_lines_says_open_and_names_bad_ones(tmp_path):
    path = tmp_path / "traces.jsonl"
    sound = {"problem": "There are 17 and 25.", "steps": ["17 + 25 = 42."], "answer": ""}
    vague = {"problem": "There are 17.", "steps": ["Ben is fond of whales."], "answer": ""}
    path.write_text("\n".join([json.dumps(sound), "{", json.dumps(vague)]) + "\n")
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="1 of 3 traces have no certificate"):
        call_command("soundness", str(path), stdout=out, stderr=err)
    assert "traces.jsonl line 2: line 2" in err.getvalue()
    printed = out.getvalue()
    assert "line 1\n" in printed
    assert "1 open; mean 0.500" in printed
    out = io.StringIO()
    path.write_text(json.dumps(vague) + "\n")
    call_command("soundness", str(path), "--json", "--premises", "all", stdout=out)
    whole = json.loads(out.getvalue())
    assert (whole["premises"], whole["claims"][0]["word"]) == ("all", "open")


def test_scores_of_a_process_reward_model_take_the_place_of_an_entailment_model(tmp_path):
    path = tmp_path / "trace.json"
    record = {"problem": "There are 17.", "steps": ["Ben has 17 pens.", "So he has 18."], "step_scores": [1, 0.25]}
    path.write_text(json.dumps(record))
    out = io.StringIO()
    call_command("soundness", str(path), "--scores", "--json", stdout=out)
    whole = json.loads(out.getvalue())
    assert whole["model"] == "external scores"
    assert (whole["claims"][0]["tau"], whole["claims"][-1]["tau"]) == (1.0, 0.25)
    scaled = io.StringIO()
    call_command("soundness", str(path), "--scores", "--json", "--temperature", "2", stdout=scaled)
    told = json.loads(scaled.getvalue())
    assert told["model"] == "external scores at temperature 2"
    # The odds 1 : 3 become 1 : the root of 3.
    assert told["claims"][-1]["tau"] == pytest.approx(1 / (1 + 3**0.5), abs=0.1)
    with pytest.raises(CommandError, match="must be above 0"):
        call_command("soundness", str(path), "--scores", "--temperature", "0")
    path.write_text(json.dumps({**record, "step_scores": [1]}))
    with pytest.raises(CommandError, match="holds 1 numbers, there are 2 steps"):
        call_command("soundness", str(path), "--scores")
