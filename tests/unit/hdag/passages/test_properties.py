"""What holds of every plan, on texts of many makes: nothing is lost, nothing is cut where it hangs together."""

import re

import pytest

from hdag.core.invariants import find_violations
from hdag.core.passages import coarsen, plan_passages
from hdag.core.passages.blocks import find_blocks
from hdag.core.values import ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer

PROBLEM = "A bakery sells 40 loaves a day at $2 each. How much does it earn in a week of 7 days?"
THINKING = """<think>Okay, so I need to work out the week. Hmm, let me see.

First, the day: 40 * 2 = 80 dollars. Wait, is that right? Yes, 40 loaves at $2 each, e.g. 20 in the morning.
No. 3 says so.

Maybe I could count the customers instead. There are about 25 of them a day. That doesn't work, we do not know
what each buys.

So the week: 7 * 80 = 560. Let me double-check: 560 / 7 = 80. This is fine.
</think>
"""
CLINIC = """The patient is a 63-year-old woman with fever, cough and pleuritic pain for 3 days. BP 92/58 mm Hg,
HR 118/min.

**Assessment:**
- Community-acquired pneumonia: lobar consolidation, leucocytes 18.4, CRP 212 mg/l. CURB-65 is 3 (urea 9.1, BP, age).
- Pulmonary embolism: Wells 1.5, i.e. unlikely; D-dimer not useful here, cf. Dr. Okoye's note.
- Option C. Heart failure: no oedema, BNP 64 pg/ml.

Plan: ceftriaxone 2 g i.v. q.d. and clarithromycin 500 mg b.i.d., fluids 30 ml/kg = 1,950 ml for 65 kg.
Therefore Option A.
"""
LAW = """The claim fails under Art. 5 (1) of the Convention and § 823 Abs. 1 BGB, see Brown v. Board, No. 3 at p. 12.

1. Duty. The owner of a shop owes its visitors reasonable care. In Miller v. Jackson Ltd. the court held so.
2. Breach. The floor was wet for 40 min. and no sign stood there (cf. Fig. 2. It shows the door).
3. Causation. But for the wet floor she would not have fallen.

Hence the plaintiff wins, unless the U.S. Supreme Court holds otherwise.
"""
GERMAN = """Zunächst berechnen wir den Tagesumsatz. Es gilt z.B. 40 · 2 = 80 Euro, vgl. Abb. 3. Äpfel zählen
hier nicht mit.

Moment, stimmt das? Ja: d.h. die Woche bringt 7 · 80 = 560 Euro. Daraus folgt die Antwort. Also sind es 560 Euro.
"""
CHINESE = (
    "首先，我们计算每天的收入：40 × 2 = 80 元。然后，一周有七天，"
    "所以总收入是 7 × 80 = 560 元。等等，让我再检查一下。\n\n因此答案是 560 元。\n"
)
LATEX = r"""We solve the system
\begin{aligned}
x + y &= 12. \\
- 2x + y &= 3. \\
\end{aligned}
so that, subtracting, $3x = 9$ and $ x = 3. $ Hence \[ y = 12 - 3 = 9. \]

The rate $x^{a. B}$ is $r_{\text{new. Value}} = 0.96$ (as above. See there).
"""
CODE = """We write it down:

```python
def earn(days):
    # Per day. It is 80.
    return 80 * days

print(earn(7))
```

| day | loaves. Sold | dollars |
|-----|--------------|---------|
| Mon | 40. A        | 80      |
| Tue | 40. B        | 80      |

The table shows what the code prints: 560.
"""
TALK = """User: How much does it earn in a week?
Assistant: It sells 40 loaves a day. That is 80 dollars.
User: And in a week?
Assistant: Seven times as much. So 560 dollars.
"""
KINDS = {
    "thinking": THINKING,
    "clinic": CLINIC,
    "law": LAW,
    "german": GERMAN,
    "chinese": CHINESE,
    "latex": LATEX,
    "code": CODE,
    "talk": TALK,
}
CASES = [(name, times) for name in KINDS for times in (1, 9)]


def trace_of(name: str, times: int) -> Trace:
    """A text repeated with other numbers, so that it is long and no part is a verbatim repeat."""
    text = "\n".join(re.sub(r"\d+", lambda m, k=k: str(int(m.group()) + k), KINDS[name]) for k in range(times))
    calls = (ToolCall("calculator", "7 * 80", "560"),) if name == "thinking" else ()
    return Trace(PROBLEM, text, "So it earns 560 dollars.", (), calls)


@pytest.mark.parametrize(("name", "times"), CASES)
def test_a_plan_holds_every_character_and_cuts_nothing_that_hangs_together(name, times):
    trace = trace_of(name, times)
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    assert find_violations(trace=trace, graph=coarsen(trace=trace, graph=graph, plan=plan)) == ()
    assert plan == plan_passages(trace=trace, graph=graph)
    thought = [passage for passage in plan.passages if passage.source.value == "thinking"]
    assert "".join("".join(p.text.split()) for p in thought) == "".join(trace.thinking.split())
    borders = {passage.end for passage in thought[:-1]}
    held = [span for span in find_blocks(text=trace.thinking) if len(span.slice(trace.thinking).strip()) < 900]
    assert not [
        trace.thinking[span.start : span.end]
        for span in held
        if any(span.start < end < span.end and trace.thinking[end : span.end].strip() for end in borders)
    ]


@pytest.mark.parametrize("name", KINDS)
def test_a_longer_plan_keeps_to_its_sizes(name):
    trace = trace_of(name, 20)
    plan = plan_passages(trace=trace, graph=RulesDecomposer().decompose(trace))
    steps = [len([label for label in passage.segments if label.startswith("ST")]) for passage in plan.asked]
    assert max(steps) <= 8
    assert max(len(passage.text) for passage in plan.asked) <= 1_000
    assert len(plan.asked) + len(plan.plan_seats) <= 3 + len(trace.thinking) / 125


def test_a_clinical_note_of_180_words_asks_six_passages_at_most():
    note = "\n".join(
        CLINIC.replace("63", age).replace("heart", organ) for age, organ in (("63", "heart"), ("58", "liver"))
    )
    trace = Trace("Which option fits best?", note, "Option A")
    plan = plan_passages(trace=trace, graph=RulesDecomposer().decompose(trace))
    assert len(note.split()) > 170
    assert len(plan.asked) <= 6
    assert len(plan.plan_seats) <= 3


def test_a_long_thinking_of_33_kb_asks_a_hundred_passages_at_most():
    trace = trace_of("thinking", 85)
    assert len(trace.thinking) > 33_000
    plan = plan_passages(trace=trace, graph=RulesDecomposer().decompose(trace))
    assert len(plan.asked) < 100


@pytest.mark.parametrize("text", ["(" * 200_000, "- 1+1=2\n" * 11_000, "x=(" * 70_000, "$" * 200_000, "a. B. " * 1_900])
def test_hostile_text_is_planned_without_quadratic_work(text):
    # Time that grew with the square of the length would run into the limit of a test.
    trace = Trace("p", text)
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph)
    assert "".join("".join(p.text.split()) for p in plan.passages) == "".join(text.split())
