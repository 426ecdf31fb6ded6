"""RADO: what tools reply stands apart from what the auditor writes, and is carried out again where it can be."""

from auditing.research.rado.core import Audited, Evaluation, Provenance, dialogue_row, parse_dialogue
from auditing.research.rado.core.evaluations import wrong_results

AUDIT = "So <function>subtract(1102, 965)</function><result>137.0</result> is right.<answer>1</answer>"


def test_results_stand_in_turns_of_the_tool_and_never_in_the_auditors_own():
    audited = Audited("a", "p", "Q", Evaluation(0, 0, "Wrong."), parse_dialogue(AUDIT))
    row = dialogue_row(audited=audited, sources={0: Provenance("r", "a", "v")})
    said = {role: "".join(t["content"] for t in row["messages"] if t["role"] == role) for role in ("assistant", "tool")}
    assert "<function>" in said["assistant"]
    assert "<result>" not in said["assistant"]
    assert "<result>137.0</result>" in said["tool"]


def test_a_refused_call_agrees_with_its_refusal_and_other_tools_are_taken_at_their_word():
    refused = "<function>divide(1, 0)</function><result>refused: division by zero</result>"
    other = "<function>convert(3 km -> m)</function><result>3000 m</result>"
    invented = "<function>divide(1, 0)</function><result>7</result>"
    audits = [parse_dialogue(text + "<answer>1</answer>") for text in (refused, other, invented)]
    assert [wrong_results(audit) for audit in audits] == [(), (), (0,)]
