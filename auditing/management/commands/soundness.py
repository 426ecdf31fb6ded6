"""manage.py soundness: the soundness of every claim of a trace, with its certificate."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.core.soundness.graph_claims import chain_of
from auditing.core.soundness.particles import Certificate, certify
from auditing.core.soundness.thresholds import best_of
from auditing.services.soundness.entailments import entailment_of
from hdag.chat.address import read_allowlist
from hdag.chat.errors import ChatError
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Endpoint
from hdag.readers.records import read_record


class Command(BaseCommand):
    """Without an endpoint the computer tier alone is the entailment model, and neither database nor network is used."""

    help = "Soundness of each claim of a trace (a JSON record, or plain text as thinking), with a certificate."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE and the parameters of the certificate."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="JSON record of one trace, or a text file")
        parser.add_argument("--endpoint", default="", help="name of an endpoint to ask where the checkers are silent")
        parser.add_argument("--epsilon", type=float, default=0.1, help="half-width of the intervals")
        parser.add_argument("--delta", type=float, default=0.1, help="1 - simultaneous confidence")
        parser.add_argument("--prior", type=float, default=1.0, help="probability of each fact of the problem")
        parser.add_argument("--threshold", type=float, default=0.5, help="claims below it count as unsound")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--json", action="store_true", help="print JSON, one object a file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints a line for each claim, then the certificate; of several files also which is the best."""
        names, as_json = options["files"], options["json"]
        certificates = [self._read(Path(name), options) for name in names]
        for name, certificate in zip(names, certificates, strict=True):
            if len(certificates) > 1 and not as_json:
                self.stdout.write(name)
            self.stdout.write(_as_json(certificate) if as_json else _as_lines(certificate, options["threshold"]))
        if len(certificates) > 1 and not as_json:
            by_mean = best_of(means=[certificate.mean for certificate in certificates])
            by_last = best_of(means=[certificate.last for certificate in certificates])
            self.stdout.write(f"best by mean: {names[by_mean]}")
            self.stdout.write(f"best by last claim: {names[by_last]}")

    def _read(self, path: Path, options: dict[str, Any]) -> Certificate:
        try:
            return self._certify(path, options)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}") from None
        except (HdagError, ChatError, ValueError) as error:
            raise CommandError(f"{path}: {error}") from None

    def _certify(self, path: Path, options: dict[str, Any]) -> Certificate:
        text = path.read_text(encoding="utf-8")
        record = read_json(text, where=path.name) if path.suffix == ".json" else {"problem": "", "thinking": text}
        trace = read_record(record, where=path.name)
        chain = chain_of(trace=trace, graph=RulesDecomposer().decompose(trace), prior=options["prior"])
        if not chain.derived:
            raise ValueError("the trace derives no claim")
        allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
        rows = _endpoints(options["endpoint"])
        with entailment_of(endpoints=rows, account="command:soundness", allowed=allowed) as model:
            return certify(
                chain=chain, model=model, seed=options["seed"], epsilon=options["epsilon"], delta=options["delta"]
            )


def _endpoints(name: str) -> list[Endpoint]:
    """The endpoint of that name, none for "". Raises ValueError when there is none that is enabled."""
    if not name:
        return []
    row = Endpoint.objects.filter(name=name, enabled=True).first()
    if row is None:
        raise ValueError(f"there is no enabled endpoint named {name!r}")
    return [row]


def _as_lines(certificate: Certificate, threshold: float) -> str:
    rows = [
        f"{claim.id:<6} {claim.tau:.3f}  [{claim.low:.3f}, {claim.high:.3f}]  {claim.verdict(threshold)}"
        for claim in certificate.claims
    ]
    return "\n".join([*rows, f"mean {certificate.mean:.3f}, last {certificate.last:.3f}", certificate.statement])


def _as_json(certificate: Certificate) -> str:
    claims = [{"id": c.id, "tau": c.tau, "low": c.low, "high": c.high, "local": c.local} for c in certificate.claims]
    head = {name: getattr(certificate, name) for name in ("model", "epsilon", "delta", "particles", "calls", "settled")}
    return json.dumps({**head, "statement": certificate.statement, "claims": claims}, indent=1)
