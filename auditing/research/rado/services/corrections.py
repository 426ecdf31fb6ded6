"""People confirm or correct audits, and their label counts before the audit's.

Reads Evaluation; writes Correction, Block.
"""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.research.models import Correction, Evaluation
from auditing.research.rado.core import parse_dialogue, parse_evaluation, write_dialogue
from auditing.research.rado.core.evaluations import CorrectionTag, EvaluationRefusedError
from auditing.research.rado.core.tags import TagsRefusedError
from auditing.services.events import record_event
from hdag.store import content


class CorrectionRefusedError(ValueError):
    """This correction cannot be kept."""


def correct(
    *, evaluation: Evaluation, corrector: User, label: int, tags: Iterable[str] = (), audit: str = "", better: str = ""
) -> Correction:
    """Store a person's judgement: the label, and where needed a corrected audit (tag format) and a better evaluation.

    Raises CorrectionRefusedError in words for people.
    """
    if evaluation.audit is None:
        raise CorrectionRefusedError("This evaluation has no audit to confirm or correct.")
    before = content.read(evaluation.audit)
    try:
        # Raises ValueError for a tag that does not exist.
        known_tags = sorted({str(CorrectionTag(tag)) for tag in tags})
        # An empty field confirms the audit as it stands.
        dialogue = parse_dialogue(audit) if audit.strip() else parse_dialogue(before)
        value = parse_evaluation(better) if better.strip() else None
    except TagsRefusedError as error:
        raise CorrectionRefusedError(f"The corrected audit cannot be read, {error}.") from None
    except EvaluationRefusedError as error:
        raise CorrectionRefusedError(f"The better evaluation cannot be read: {error}.") from None
    except ValueError as error:
        raise CorrectionRefusedError(f"There is no such tag: {error}.") from None
    if dialogue.score != label and audit.strip():
        raise CorrectionRefusedError(f"The corrected audit answers {dialogue.score}, but the label is {label}.")
    # Both through the same writer: blanks that a browser changed are no correction.
    changed = write_dialogue(dialogue) != write_dialogue(parse_dialogue(before))
    texts = {"audit": write_dialogue(dialogue) if changed else "", "evaluation": value.text if value else ""}
    with transaction.atomic():
        correction = Correction.objects.create(
            evaluation=evaluation,
            corrector=corrector,
            label=label,
            tags=known_tags,
            block=content.store_json(texts),
            # Confirmed: nothing was changed and the label is the audit's own.
            confirms=not changed and value is None and label == evaluation.audit_score,
        )
        record_event(
            audit=None,
            kind=EventKind.RADO_CORRECTED,
            actor=corrector,
            evaluation=str(evaluation.pk),
            confirms=correction.confirms,
        )
    return correction
