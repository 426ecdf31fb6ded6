"""Tables of traces, their graphs and model endpoints. Every text lies in an encrypted Block (hdag/store/content.py)."""

import uuid
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from hdag.core.levels import Complexity, Level, Tier
from hdag.core.relations import Relation, Strength
from hdag.core.units import UnitKind, UnitStep
from hdag.core.values import Source


def _choices(enum: type[StrEnum]) -> list[tuple[str, str]]:
    return [(member.value, member.value.replace("_", " ")) for member in enum]


class Block(models.Model):
    """One AES-256-GCM ciphertext, addressed by the CIDv1 of the ciphertext; without its key it is noise.

    A ciphertext over 256 KiB lies in parts: its own row then holds the manifest of their addresses, and the key.
    """

    cid = models.CharField(primary_key=True, max_length=80)
    ciphertext = models.BinaryField(null=True)  # NULL: the bytes lie in the store that settings.BLOCK_STORE names
    wrapped_key = models.BinaryField(null=True)  # NULL after erasure, and in parts
    is_manifest = models.BooleanField(default=False, db_default=False)
    part_of = models.ForeignKey("self", models.CASCADE, null=True, related_name="parts", db_index=False)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["part_of"], condition=Q(part_of__isnull=False), name="parts_of_a_block")]

    def __str__(self) -> str:
        return self.cid


class Trace(models.Model):
    """A trace as handed in. Its text, model name and reference answer lie in the payload block."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    provider = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="traces", db_index=False)
    title = models.CharField(max_length=200)
    domain = models.CharField(max_length=60, blank=True, db_index=True)
    digest = models.BinaryField(max_length=32)  # keyed: finds equal texts, no oracle for strangers
    external_id = models.CharField(max_length=200, blank=True, default="")  # what its provider calls it, cut
    tags = models.JSONField(default=list, blank=True)  # words of its provider, to sort by
    copy = models.PositiveIntegerField(default=0)  # 0, or the number of the copy when it was asked for again
    payload = models.OneToOneField(Block, models.PROTECT, related_name="+")
    characters = models.PositiveIntegerField()
    whole_to_models = models.BooleanField(default=False)  # consent: endpoints may see the whole trace
    created = models.DateTimeField(db_default=Now(), db_index=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["provider", "digest", "copy"], name="same_trace_twice_is_one"),
        ]
        # The second finds who has seen how much of one text.
        indexes = [models.Index(fields=["-created", "id"]), models.Index(fields=["digest"], name="traces_of_one_text")]

    def __str__(self) -> str:
        return self.title


class Decomposition(models.Model):
    """The job that makes a graph from a trace, and the graph's report."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    trace = models.ForeignKey(Trace, models.CASCADE, related_name="decompositions")
    decomposer = models.CharField(max_length=40)
    # of a passage graph: the fine graph whose segments its passages are made of
    derived_from = models.ForeignKey("self", models.CASCADE, null=True, related_name="derived")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    done_share = models.FloatField(default=0)  # progress, 0 to 1
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)  # a worker that dies lets the job go at this moment
    notes = models.OneToOneField(Block, models.PROTECT, null=True, related_name="+")  # report and explanations
    metrics = models.JSONField(default=dict)
    took_ms = models.PositiveIntegerField(null=True)
    error = models.TextField(blank=True)
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.decomposer} graph of {self.trace_id}"


class Segment(models.Model):
    """A node of the HDAG. Its text and summary lie in the block; `salt` blinds its digest in votes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    decomposition = models.ForeignKey(Decomposition, models.CASCADE, related_name="segments", db_index=False)
    label = models.CharField(max_length=12)  # G1, S1, T1, ST1, O1: unique within the graph
    position = models.PositiveIntegerField()  # order of reading
    level = models.CharField(max_length=10, choices=_choices(Level))
    source = models.CharField(max_length=10, choices=_choices(Source))
    source_index = models.PositiveIntegerField(default=0)
    start = models.PositiveIntegerField()  # code points of the source, half open: [start, end)
    end = models.PositiveIntegerField()
    step = models.PositiveIntegerField(null=True)  # index of the input step it lies in, where the input has steps
    kind = models.CharField(max_length=40, blank=True)
    complexity = models.CharField(max_length=6, choices=_choices(Complexity))
    features = models.JSONField(default=dict)
    primary = models.CharField(max_length=8, choices=_choices(Tier))
    secondaries = models.JSONField(default=list)
    by_model = models.BooleanField(default=False, db_default=False)  # a model suggested these tiers
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")
    salt = models.BinaryField(max_length=32, null=True)  # NULL after erasure
    entirely_childrens = models.BooleanField(default=False)  # no reviewer is seated on it
    # Of a passage graph: what is judged ("": nothing, it holds the graph together); the fine segments it is of; its
    # steps as [labels, start, end] in that text; unasked passages on its form; why nobody is asked ("": somebody is).
    unit = models.CharField(max_length=10, choices=_choices(UnitKind), blank=True, db_default="")
    members = models.JSONField(default=list)
    numbering = models.JSONField(default=list)
    carries = models.JSONField(default=list)
    unasked = models.CharField(max_length=24, blank=True, db_default="")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["decomposition", "label"], name="one_segment_a_label"),
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="span_runs_forward"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def numbered(self) -> tuple[UnitStep, ...]:
        """The numbered steps of a passage; none in a fine graph and in plan units."""
        return tuple(UnitStep(tuple(labels), start, end) for labels, start, end in self.numbering)


class Edge(models.Model):
    """A typed edge between two segments of one graph."""

    decomposition = models.ForeignKey(Decomposition, models.CASCADE, related_name="edges")
    source = models.ForeignKey(Segment, models.CASCADE, related_name="edges_out", db_index=False)
    target = models.ForeignKey(Segment, models.CASCADE, related_name="edges_in")
    relation = models.CharField(max_length=14, choices=_choices(Relation))
    strength = models.CharField(max_length=6, choices=_choices(Strength))
    confidence = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "target", "relation"], name="one_edge_a_relation"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="no_edge_to_itself"),
            models.CheckConstraint(condition=Q(confidence__gte=0, confidence__lte=1), name="confidence_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.relation} {self.target_id}"


class Endpoint(models.Model):
    """A server that speaks the OpenAI chat-completions protocol, as the operator set it."""

    class MaySee(models.TextChoices):
        SEGMENTS = "segments only"
        TRACES = "whole traces"

    class Mode(models.TextChoices):
        SCHEMA = "json_schema", "by a JSON schema"
        OBJECT = "json_object", "as any JSON object"
        TEXT = "text", "in words only"

    class Limit(models.TextChoices):
        TOKENS = "max_tokens"
        COMPLETION = "max_completion_tokens"
        OUTPUT = "max_output_tokens", "max_output_tokens, by the Responses API"
        NONE = "none", "no limit"

    class Sends(models.TextChoices):
        YES = "sent"
        NO = "left out"

    class Asks(models.TextChoices):
        JUDGE = "judge", "one answer"
        TOOLS = "tools", "several turns with tools"
        ENTAILS = "entails", "does it follow, in seven words"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60, unique=True)
    base_url = models.URLField(max_length=300)
    model = models.CharField(max_length=120)
    family = models.CharField(max_length=60)
    key_variable = models.CharField(max_length=60, blank=True)  # name of the environment variable that holds the key
    wrapped_key = models.BinaryField(null=True, blank=True)
    may_see = models.CharField(max_length=14, choices=MaySee, default=MaySee.SEGMENTS)
    price_in = models.DecimalField(max_digits=12, decimal_places=6, default=0)  # per million tokens
    price_out = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    max_concurrency = models.PositiveSmallIntegerField(default=4)
    timeout_seconds = models.PositiveSmallIntegerField(default=60)
    daily_cap = models.DecimalField(max_digits=12, decimal_places=4, default=10)
    audit_cap = models.DecimalField(max_digits=12, decimal_places=4, default=1)
    enabled = models.BooleanField(default=True)
    asks = models.CharField(max_length=8, choices=Asks, default=Asks.JUDGE)
    searches = models.BooleanField(default=False)  # with tools: may look into the operator's documents
    # What the server takes: its dialect, and where it differs. Empty is as the dialect says (hdag/chat/dialects).
    dialect = models.CharField(max_length=24, default="unknown")
    answer_mode = models.CharField(max_length=12, choices=Mode, blank=True)
    limit_field = models.CharField(max_length=24, choices=Limit, blank=True)
    temperature = models.CharField(max_length=8, choices=Sends, blank=True)
    system_role = models.CharField(max_length=8, choices=Sends, blank=True)  # left out: joined to the user's words
    reasoning_effort = models.CharField(max_length=12, blank=True)
    thinking_tokens = models.PositiveIntegerField(null=True, blank=True)  # room beside the answer
    most_tokens = models.PositiveIntegerField(null=True, blank=True)  # of one answer, thinking included
    context_tokens = models.PositiveIntegerField(null=True, blank=True)
    logprobs = models.CharField(max_length=8, choices=Sends, blank=True)
    retries = models.PositiveSmallIntegerField(null=True, blank=True)  # after the first attempt
    extra_body = models.JSONField(null=True, blank=True)
    answers_as = models.CharField(max_length=120, blank=True)  # a name beside `model` that answers carry; * is any
    price_cached = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)  # per million tokens
    probed_at = models.DateTimeField(null=True)
    probe = models.JSONField(null=True)  # what the last probe found, as as_json of hdag/chat/probing gives it
    qualified_at = models.DateTimeField(null=True, blank=True)
    # Votes on labelled steps by domain, and why it gets no seat: research/qualification/core/qualification.py.
    qualification = models.JSONField(null=True, blank=True)
    batches = models.BooleanField(default=False)  # asked in batches, at half price, where a day's time is left
    failures_in_a_row = models.PositiveIntegerField(default=0)
    circuit_opened = models.DateTimeField(null=True)  # left alone since then, by all workers; a trial renews it
    paused_until = models.DateTimeField(null=True)  # it asked everybody to wait (429 with Retry-After): not ill
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


class ChatCall(models.Model):
    """One call to an endpoint: what it cost, under the key its caller named; never the text."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="calls")
    account = models.CharField(max_length=80, db_index=True)  # e.g. audit:<id>
    purpose = models.CharField(max_length=40)
    state = models.CharField(max_length=12, default="open")  # open before the call, then done or failed
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)  # thinking included
    tokens_cached = models.PositiveIntegerField(default=0)  # of those in
    tokens_thinking = models.PositiveIntegerField(default=0)  # of those out
    bytes_sent = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0)
    took_ms = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return f"{self.purpose} by {self.endpoint_id}"


class ChatBatch(models.Model):
    """Questions that were sent to an endpoint together, to be answered within a day."""

    class State(models.TextChoices):
        MAKING = "making"  # on its way: a worker that died here is found by its age
        SENT = "sent"
        DONE = "done"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="chat_batches")
    state = models.CharField(max_length=8, choices=State, default=State.MAKING)
    remote = models.CharField(max_length=120, blank=True)  # its name at the server
    ended_as = models.CharField(max_length=40, blank=True)  # as the server says: completed, expired, failed, ...
    created = models.DateTimeField(db_default=Now())
    checked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.state} batch {self.remote}"


class BatchEntry(models.Model):
    """One question of a batch, and its answer until whoever asked has read it. Texts are encrypted.

    `one_entry_a_question`: a question that waits is not asked again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="batch_entries")
    batch = models.ForeignKey(ChatBatch, models.CASCADE, null=True, related_name="entries")  # none: it waits to be sent
    call = models.OneToOneField(ChatCall, models.CASCADE, related_name="batch_entry")  # holds what it can cost
    key = models.BinaryField(max_length=32)  # keyed digest of account and request
    request = models.BinaryField(null=True)  # NULL: the server has it
    reply = models.BinaryField(null=True)
    status = models.PositiveSmallIntegerField(null=True)  # as HTTP would have answered; NULL: no answer yet
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["endpoint", "key"], name="one_entry_a_question")]

    def __str__(self) -> str:
        return f"{self.call_id} in {self.batch_id}"
