"""Steps that call their own deed wrong: which are accused, which are doubted, and the many that only look so."""

import json

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import RefusedError, check_finding, check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import findings

OWN_DEEDS = [
    "3) Incorrectly multiply the exponents: a^6.",
    r"Let's incorrectly simplify further by squaring: $(1/\sqrt{3})^2 = 1/3$.",
    r"Now we mistakenly get $\frac{4}{10.5}$.",
    "Incorrectly assume that cancelling the 3's gives zero, so we get 0.",
    "Then erroneously state this means the remainder is 5.",
    "However, let's wrongly state that numbers can be the same.",
    "They are 105, 112, 119, and mistakenly claim 191.",
    "We wrongly divide by x and get x = 2.",
    "Step 3: Mistakenly add 4 to both sides: x = 9.",
    "3. Incorrectly multiply the exponents: a^6.",
    "So, let us mistakenly treat the two events as independent.",
    "Next, erroneously cancel the x: we get 5.",
    "Assume incorrectly that the remainder is 0.",
    "I mistakenly add the 5 twice: 5 + 5 + 3 = 13.",
    "Instead of factoring, we falsely conclude that x = 1.",
    "Therefore, we erroneously conclude $x = 7$.",
    "We take the sum and mistakenly divide by 3 instead of 4.",
    "To find the mean, incorrectly divide the sum by 5.",
    "Let me wrongly apply the power rule: x^2 becomes x.",
    "Let’s falsely assume that all sides are equal.",
    "Here, we erroneously ignore the carry and write 45 + 27 = 62.",
]
OWN_RESULTS = [
    "This is $4+6+12=18$ (misleading incorrect sum).",
    "We get incorrect results: $x = 3$.",
    r"So it becomes $\sin 2y$ after simplifying the functions incorrectly.",
    r"It's simplified wrongly as $\sin 100$.",
    "This step is incorrect because the numbers are different.",
    "We, then, by mistake add 5. Hence we by mistake subtract 3.",
    "So x is incorrectly listed as 2, 3, 4.",
    "The total is mistakenly calculated as 2310.",
    "We obtain 12 erroneously.",
    "This mistakenly adds up to 12.",
]
NO_CONFESSIONS = [
    "So they say: mistakenly add 5.",
    "The error lies here. We incorrectly subtract 6 to get 24.",
    "The total is incorrectly calculated as 75. The original is 60.",
    "But actually, we mistakenly calculated that earlier. We should use (w - 1)(h - 1) instead.",
    "We made a mistake in the beginning. We have to calculate the cross product again.",
    "I incorrectly assumed that x is positive. So x = -3.",
    "The student mistakenly adds 3 to both sides.",
    "Students often incorrectly assume that the base is zero.",
    "One might mistakenly divide by 2 here, but the right way is to multiply.",
    "If we incorrectly assume that x = 2, we would get 7.",
    "A common mistake is to incorrectly add the denominators.",
    "Avoid incorrectly adding the numerators.",
    "We can do this without mistakenly counting anything twice.",
    "The solution incorrectly states that 2 + 2 = 5.",
    "Choice B incorrectly states that the enzyme is a lipid.",
    "Choice C is incorrect, so the answer is D.",
    "This is wrong, since 3 does not divide 10. The correct value is 12.",
    "Assume that sqrt(2) = a/b. This is a contradiction.",
    "Where do we incorrectly assume that x > 0?",
    'He wrote: "we incorrectly assume that x = 3".',
    "# we incorrectly assume that n is even",
    "// mistakenly add one here",
    "In step 2, we incorrectly add 3, so we must subtract it again.",
    "Here we incorrectly count each handshake twice, so we need to divide by 2: 90/2 = 45.",
    "It is easy to mistakenly conclude that f is even.",
    "Many mistakenly assume that the gas is ideal.",
    "People who rush, incorrectly assume that the chord is a diameter.",
    "Note that we incorrectly use 5 in place of 6 above.",
    "I realize that I incorrectly use 5 there. It should be 6.",
    "To see why, let's incorrectly assume x = 0. Then 1 = 0, which is absurd.",
    "We incorrectly get 12. Wait, it should be 13.",
    "When we incorrectly apply the chain rule, the factor 2 is lost.",
    "We never incorrectly round down.",
    "We don't incorrectly assume independence here.",
    "We must not mistakenly add the overlap.",
    "Let's not incorrectly assume that the die is fair.",
    "The number of questions he answered incorrectly is 80 - x.",
    "She answered 5 questions wrongly, so 20 - 5 = 15 are right.",
    "Number of incorrect answers = 5. We get incorrect answers of 5 and right answers of 15.",
    "The value 5 is often mistakenly taken as the answer.",
    "The reading was incorrectly recorded as 33 instead of 23.",
    "The mean was wrongly calculated as 40.",
    "Method 1 gives 12 (wrong sign). Method 2 gives -12.",
    "x = 3 (incorrect), x = 5 (correct).",
    "Without brackets, we get an incorrect result: 2 + 3 * 4 = 14.",
    "We get a wrong answer of 12 with this approach, so we try another.",
    "Therefore the assumption is wrong, and x = 4.",
    "The doctor incorrectly diagnoses the patient; we treat the ulcer.",
    "Option A: mistakenly add the areas. Option B: subtract them.",
    "(A) incorrectly add the exponents (B) multiply them",
    "The trap: mistakenly add the speeds.",
    "The bug is that we incorrectly include the last index.",
    "The program then falsely reports success.",
    "The witness falsely states that he was at home; we conclude that he lies.",
    "The test is falsely positive in 5% of cases: 0.05 * 200 = 10.",
    "P(falsely accused) = 0.1",
    "Some sources mistakenly list 91 as a prime.",
    "91 is sometimes mistakenly written as a prime.",
    "By mistakenly adding instead of multiplying, a student gets 7.",
    "By mistakenly adding 3 and 4, we get 7, which is choice A.",
    "This incorrectly gives 5 if x is negative.",
    "The knave falsely claims that A is a knight.",
    "If A is a knave, then we falsely conclude that B is one.",
    "Suppose we mistakenly take 3 red balls.",
    "So that we do not mistakenly count the diagonal, we subtract 5.",
    "This step is incorrect as x may be zero. The correct step is to factor: x(x - 1) = 0.",
    "Is this step incorrect? No.",
    "I mistakenly said 5. It is 6.",
    "Sorry, I wrongly add 5 there; the sum is 11.",
    "What happens if we erroneously take the limit first? We get 0.",
    "Rather than mistakenly divide by x, factor it out.",
    "The type I error is to falsely reject the null; we take alpha = 0.05.",
    "In the sum we erroneously include n = 0, so remove it: 55 - 0 = 55.",
    "The clerk by mistake adds 5% twice. Then we divide by 1.05.",
    "The machine erroneously counts 3 of 100 coins, so we get 97.",
    "Hence, we do not get x = 2 erroneously.",
    "Oops, we incorrectly simplify here; redo: 2x + 2 = 4.",
    "Let me check whether we incorrectly use the formula: no.",
    "The first line says 'we wrongly assume'.",
    "As we saw, we incorrectly assume independence in the first model.",
    "The naive approach: we incorrectly multiply 3 by 4 and get 12. In reality the events overlap.",
    "Counterexample. Let's see: we mistakenly claim all primes are odd, but 2 is a prime.",
]
IN_CONTEXT = {
    "a problem about a mistake": (
        "Joe mistakenly multiplied a number by 3 instead of dividing. What is the right result?",
        ["Joe has x. We mistakenly multiply by 3 to do as he did."],
    ),
    "a problem about a misreading": (
        "A set of 100 observations has mean 40; later one was wrongly read as 83.",
        ["So 53 is mistakenly taken as 83."],
    ),
    "a solution that is looked over": (
        "Check the following proof that 1 = 2.",
        ["We incorrectly divide by zero in the third line."],
    ),
    "a contradiction in the next step": (
        "Prove it.",
        ["Let's wrongly assume that there are finitely many primes.", "This leads to a contradiction."],
    ),
    "taken back in the next step": ("Add.", ["We mistakenly add 5.", "No, that's wrong. We add 6."]),
}
# changed confessions of which none is true of the text
STEP = "We add. If nobody looks, we mistakenly add 5, and if I mistakenly add 6, so be it."
LIES = {
    "a part of a sentence": ("we mistakenly add", "the sentence stands nowhere, or begins earlier"),
    "another part of it": ("I mistakenly add", "the sentence stands nowhere, or begins earlier"),
    "a condition": ("If nobody looks, we mistakenly add", "the deed is another's, or none"),
    "no deed": ("We add.", "it calls no deed wrong"),
    "other words": ("We mistakenly add", "the sentence stands nowhere, or begins earlier"),
}


def confessions(*steps, problem="A problem."):
    return [
        placed.finding
        for placed in findings(*steps, problem=problem)
        if placed.finding.evidence.checker == "confessions"
    ]


@pytest.mark.parametrize("step", OWN_DEEDS)
def test_a_deed_that_is_called_wrong_while_it_is_done_is_accused(step):
    assert any(finding.accuses for finding in confessions(step))


@pytest.mark.parametrize("step", OWN_RESULTS)
def test_a_result_that_is_called_wrong_is_doubted(step):
    told = confessions(step)
    assert told
    assert not any(finding.accuses for finding in told)


@pytest.mark.parametrize("step", NO_CONFESSIONS)
def test_what_others_do_and_what_is_denied_or_taken_back_is_no_confession(step):
    assert confessions(step) == []


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_the_problem_and_the_next_step_are_looked_at(name):
    problem, steps = IN_CONTEXT[name]
    assert confessions(*steps, problem=problem) == []


def record_of(step, before="First we look."):
    trace = read_record({"id": "t", "problem": "Add.", "steps": [before, step]}, where="test")
    return json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))


@pytest.mark.parametrize("step", OWN_DEEDS)
def test_the_proof_of_a_confession_holds(step):
    proofs = list(check_record(record_of(step)))
    assert proofs
    assert {reason for _, reason in proofs} == {""}


def test_a_step_before_it_need_not_end_in_a_full_stop():
    record = record_of("Now we mistakenly add 5 twice.", before="The difference is x")
    assert [reason for _, reason in check_record(record)] == [""]


@pytest.mark.parametrize("change", ["verdict", "quote", "kind", "version"])
def test_a_confession_that_was_tampered_with_is_refused(change):
    record = record_of("Now we mistakenly add 5 twice.")
    (told,) = (told for segment in record["segments"] for told in segment["evidence"] if "proof" in told)
    if change == "verdict":
        told["verdict"] = "verified"
    else:
        told["proof"][change] = "add 5 twice"
    assert all(reason for _, reason in check_record(record))


@pytest.mark.parametrize("name", LIES)
def test_no_lie_makes_a_step_confess(name):
    quote, reason = LIES[name]
    proof = {"version": 1, "kind": "confession", "quote": quote}
    evidence = {"verdict": "refuted", "read": STEP, "details": {}, "start": 0, "end": len(STEP), "proof": proof}
    with pytest.raises(RefusedError, match=reason):
        check_finding(evidence, STEP, STEP)
