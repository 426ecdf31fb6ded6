"""The data sets that a researcher can ask for, column by column."""

from auditing.research.exports.formats.columns import Column, Dataset, Kind

TEXT, INTEGER, NUMBER, FLAG, TIME = Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.FLAG, Kind.TIME
KINDS_OF_TRANSFERS = (
    "reward, slash, no_show, agreement, stake, staking, withdrawal, grant, price, conduct, release, reversal, returned"
)

_AUDIT = (
    Column("audit", TEXT, "id of the audit"),
    Column("trace", TEXT, "id of the trace"),
    Column("campaign", TEXT, "id of the campaign"),
    Column("domain", TEXT, "domain of the trace, may be the empty text"),
    Column("policy", INTEGER, "number of the policy in force"),
    Column("is_simulated", FLAG, "simulated reviewers held seats in this audit"),
)
_SEGMENT = (
    *_AUDIT,
    Column("segment", TEXT, "id of the segment"),
    Column("label", TEXT, "short name of the segment in its graph, such as ST3"),
)
_VOTE = (
    *_SEGMENT,
    Column("round", INTEGER, "number of the round, from 1"),
    Column("tier", TEXT, "computer, llm or human"),
    Column("auditor", TEXT, "pseudonym, stable within one bundle of exports"),
    Column("is_imported", FLAG, "cast elsewhere, never sealed, never paid"),
)


# Last in every row, so that older columns keep their places.
_ORIGIN = (
    Column("provider", TEXT, "pseudonym of who handed the trace in, stable within one bundle", optional=True),
    Column("external_id", TEXT, "the provider's own id of the trace", optional=True),
    Column("model", TEXT, "the model that wrote the trace, as its provider names it", optional=True),
    Column("tags", TEXT, "the provider's words to sort by, with a comma between", optional=True),
)
_VOTE_ID = Column("vote", TEXT, "pseudonym of the vote, the same in every data set of one bundle", optional=True)
OF_NO_TRACE = frozenset({"reputation"})
OF_VOTES = frozenset({"votes", "criteria", "evidence"})


def _dataset(name: str, meaning: str, *columns: Column) -> Dataset:
    voted = (_VOTE_ID,) if name in OF_VOTES else ()
    return Dataset(name, meaning, (*columns, *voted, *(() if name in OF_NO_TRACE else _ORIGIN)))


_ALL = (
    _dataset(
        "segments",
        "One row a segment of an audited trace; start and end count code points in its source, half open.",
        *_SEGMENT,
        Column("level", TEXT, "goal, strategy, tactic, step or operation"),
        Column("position", INTEGER, "place in reading order, from 0"),
        Column("source", TEXT, "problem, thinking, answer or tool_call"),
        Column("source_index", INTEGER, "which tool call, otherwise 0"),
        Column("start", INTEGER, "first code point"),
        Column("end", INTEGER, "one past the last code point"),
        Column("step", INTEGER, "0-based index of the input step that holds it", optional=True),
        Column("content", TEXT, "the exact text, empty when this export has no right to it", optional=True),
        Column("complexity", TEXT, "low, medium or high"),
        Column("primary_tier", TEXT, "tier that routing chose first"),
        Column("is_gold", FLAG, "its truth was known to the system beforehand"),
    ),
    _dataset(
        "edges",
        "One row a typed edge. `A depends_on B` and `B enables A` both make B a premise of A.",
        *_AUDIT,
        Column("source", TEXT, "id of the segment that the edge leaves"),
        Column("target", TEXT, "id of the segment that it enters"),
        Column("relation", TEXT, "one of the seven relations"),
        Column("strength", TEXT, "strong, medium or weak"),
        Column("confidence", NUMBER, "0 to 1"),
    ),
    _dataset(
        "votes",
        "One row an opened vote.",
        *_VOTE,
        Column("choice", TEXT, "pass, fail or abstain"),
        Column("confidence", NUMBER, "probability that the vote is right, .5 to 1; empty for abstain", optional=True),
        Column("error_type", TEXT, "kind of error that a fail names", optional=True),
        Column("is_propagated", FLAG, "the error comes from a premise"),
        Column("reason", TEXT, "rationale, empty when this export has no right to it", optional=True),
        Column("rubric_version", INTEGER, "version of the guidelines shown", optional=True),
        Column("raw_seconds", NUMBER, "from opening the segment to sealing the vote", optional=True),
        Column("active_seconds", NUMBER, "of these, with the page in focus", optional=True),
        Column("committed_at", TIME, "when the commitment arrived", optional=True),
        Column("revealed_at", TIME, "when the vote was opened"),
        Column("is_gold", FLAG, "cast on a gold segment"),
        Column(
            "is_repeat", FLAG, "cast by a reviewer who had judged the passage before, unmarked: in no outcome twice"
        ),
    ),
    _dataset(
        "criteria",
        "One row a criterion of a vote.",
        *_VOTE,
        Column("criterion", TEXT, "such as mathematical_accuracy"),
        Column("score", TEXT, "pass, fail or not_applicable"),
        Column("rubric_version", INTEGER, "version of the guidelines shown", optional=True),
    ),
    _dataset(
        "evidence",
        "One row a finding of a checker or a tool that stands behind a vote.",
        *_VOTE,
        Column("checker", TEXT, "which checker"),
        Column("rule", TEXT, "which of its rules"),
        Column("verdict", TEXT, "verified, refuted or not_applicable"),
        Column("read", TEXT, "what it read in the segment", optional=True),
        Column("sentence", TEXT, "what it found, for people"),
        Column("start", INTEGER, "first code point within the segment"),
        Column("end", INTEGER, "one past the last"),
        Column("grade", TEXT, "certain, likely or note: only what is certain decides"),
    ),
    _dataset(
        "outcomes",
        "One row an outcome; the outcome of the whole trace has an empty segment.",
        *_AUDIT,
        Column("segment", TEXT, "id of the segment", optional=True),
        Column("label", TEXT, "short name of the segment", optional=True),
        Column("tier", TEXT, "tier of the round that decided", optional=True),
        Column("outcome", TEXT, "pass, fail, hung or undecided"),
        Column("paper_outcome", TEXT, "the same by the rule of the paper", optional=True),
        Column("standing_outcome", TEXT, "what stands after appeals: of the last finished audit that decided it"),
        Column("posterior", NUMBER, "probability of being right", optional=True),
        Column("low", NUMBER, "lower end of its interval", optional=True),
        Column("high", NUMBER, "upper end of its interval", optional=True),
        Column("passes", INTEGER, "pass votes in the deciding round", optional=True),
        Column("fails", INTEGER, "fail votes in the deciding round", optional=True),
        Column("abstentions", INTEGER, "abstentions in the deciding round", optional=True),
        Column("seats", INTEGER, "seats k of the deciding round", optional=True),
        Column("need_pass", INTEGER, "pass votes that decide: q = ceil(tau k)", optional=True),
        Column("need_fail", INTEGER, "fail votes that decide", optional=True),
        Column(
            "inclusion",
            NUMBER,
            "probability with which people were asked about it: below 1 where the random sample alone had them asked; "
            "empty where they were not",
            optional=True,
        ),
        Column("decided_at", TIME, "when consensus found it"),
    ),
    _dataset(
        "steps",
        "One row a step of an audited trace with its labels, for training; also as ProcessBench or PRM800K records.",
        *_AUDIT,
        Column("step", INTEGER, "place of the step in its trace, from 0"),
        Column("steps", INTEGER, "how many steps the trace has"),
        Column("content", TEXT, "the text of the step, empty when this export has no right to it", optional=True),
        Column("problem", TEXT, "the problem, on the first step of a trace only", optional=True),
        Column("reference", TEXT, "the reference answer, on the first step of a trace only", optional=True),
        Column("outcome", TEXT, "fail if a segment of it fails, pass if all pass, otherwise undecided"),
        Column("label", INTEGER, "1 right, -1 wrong, empty when undecided", optional=True),
        Column("soft_label", NUMBER, "least posterior P(right) of its segments", optional=True),
        Column("first_error", INTEGER, "first failing step of the trace, -1 for none; empty: unknown", optional=True),
        Column(
            "is_answer_right",
            FLAG,
            "the answer equals the reference; missing where rules cannot tell; needs text",
            optional=True,
        ),
    ),
    _dataset(
        "remarks",
        "One row a remark that a reviewer made of a passage beside the vote: an edge label, or a bad cut.",
        *_SEGMENT,
        Column("members", TEXT, "labels of the fine segments of the passage, in reading order"),
        Column("kind", TEXT, "missing_premise or badly_cut"),
        Column("premise", TEXT, "label of the passage that was missing as a premise", optional=True),
        Column("premise_members", TEXT, "labels of its fine segments", optional=True),
        Column("auditor", TEXT, "pseudonym of the auditor in this export"),
    ),
    _dataset(
        "overruled",
        "One row a certain refutation of a checker that an adjudicator overruled after an appeal: labelled cases.",
        *_SEGMENT,
        Column("checker", TEXT, "which checker"),
        Column("rule", TEXT, "which of its rules"),
        Column("version", TEXT, "version of the checkers", optional=True),
        Column("read", TEXT, "what it read in the segment", optional=True),
        Column("sentence", TEXT, "what it found, for people"),
        Column("content", TEXT, "the exact text of the segment", optional=True),
        Column("why", TEXT, "code of the reason that the adjudicator stated"),
        Column("auditor", TEXT, "pseudonym of the adjudicator in this export"),
        Column("overruled_at", TIME, "when the word was opened"),
    ),
    _dataset(
        "soundness",
        "One row a claim that ARES scored.",
        *_SEGMENT,
        Column("method", TEXT, "entailment model and variant"),
        Column("soundness", NUMBER, "estimated tau, 0 to 1"),
        Column("half_width", NUMBER, "epsilon of the certificate"),
        Column("confidence", NUMBER, "1 - delta, simultaneous over the trace"),
        Column("samples", INTEGER, "number of particles N"),
    ),
    _dataset(
        "postings",
        "One row a line of double entry; the lines of one transfer sum to zero.",
        Column("transfer", TEXT, "id of the transfer"),
        Column("kind", TEXT, KINDS_OF_TRANSFERS),
        Column("audit", TEXT, "id of the audit, when it has one", optional=True),
        Column("account", TEXT, "pseudonym of the auditor or name of a house account"),
        Column("amount", INTEGER, "points, signed"),
        Column("is_held", FLAG, "held until the appeal window closes"),
        Column("reverses", TEXT, "id of the transfer that it takes back", optional=True),
        Column("policy", INTEGER, "number of the policy in force", optional=True),
        Column("created", TIME, "when it was written"),
    ),
    _dataset(
        "reputation",
        "One row an auditor's standing at the time of the export.",
        Column("auditor", TEXT, "pseudonym, stable within one export"),
        Column("tier", TEXT, "computer, llm or human"),
        Column("is_simulated", FLAG, "a simulated reviewer"),
        Column("against_gold", NUMBER, "reputation against known truth", optional=True),
        Column("against_consensus", NUMBER, "reputation against consensus", optional=True),
        Column("sensitivity", NUMBER, "P(pass | right), posterior mean", optional=True),
        Column("specificity", NUMBER, "P(fail | wrong), posterior mean", optional=True),
        Column("gold_votes", INTEGER, "gold votes behind it"),
    ),
    _dataset(
        "ledger",
        "One row a leaf of the public log that belongs to an exported audit.",
        Column("audit", TEXT, "id of the audit, when it has one", optional=True),
        Column("index", INTEGER, "index of the leaf in the log"),
        Column("kind", TEXT, "open, commitment, reveal, outcome and so on"),
        Column("leaf_hash", TEXT, "RFC 6962 leaf hash, hexadecimal"),
        Column("created", TIME, "when the leaf was written"),
    ),
)
DATASETS: dict[str, Dataset] = {dataset.name: dataset for dataset in _ALL}
