"""Simulated auditors: over the pure cores, or at a running server through its public API.

simulate cores --mix honest=30,rubber-stamper=18,always-wrong=12     votes, points and flags without a server
simulate people MEMBERS.json --mix honest=8,rubber-stamper=2         marked accounts with tokens (not in production)
simulate visit URL MEMBERS.json --traces TRACES.jsonl                hand in and vote, as anybody would
simulate standing MEMBERS.json                                       what this server's tables say of them
"""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from auditing.core.errors import BadParameterError
from auditing.core.policy import PRESETS
from auditing.research.population import conducts, figures, members
from auditing.research.population.rehearsal import rehearse
from auditing.research.population.runs import Rehearsal, Setting
from auditing.research.population.visits import Corpus, Crowd, Visit

MIX = "honest=30,rubber-stamper=18,always-wrong=12"


class Command(BaseCommand):
    """manage.py simulate cores | people | visit | standing"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """The verb, and what it needs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        cores = verbs.add_parser("cores", help="the decisions of a running system without its server")
        cores.add_argument("--mix", default=MIX, help=f"NAME=NUMBER of {', '.join(conducts.Conduct)}")
        cores.add_argument("--passages", type=int, default=10_000)
        cores.add_argument("--votes", type=int, default=3, help="a passage")
        cores.add_argument(
            "--waves", type=int, default=0, help="passages a trace, asked in waves as the policy plans; 0: --votes each"
        )
        cores.add_argument("--gold", default="", help="share of seats on gold; else the policy's")
        cores.add_argument(
            "--model-fail", default="", help="of all seats, on gold that models fail on; else the policy's"
        )
        cores.add_argument("--transfer", type=float, default=1.0, help="chance that the pasters' model fails there too")
        cores.add_argument("--policy", choices=sorted(PRESETS), default="default")
        cores.add_argument(
            "--model-accuracy", type=float, default=conducts.MODEL_ACCURACY, help="of the pasters' model"
        )
        cores.add_argument("--seeds", type=int, default=5)
        cores.add_argument("--keep-suspended", action="store_true", help="draw those too whom the rules would suspend")
        people = verbs.add_parser("people", help="make marked accounts with tokens")
        people.add_argument("file", type=Path)
        people.add_argument("--mix", default="honest=6,rubber-stamper=2")
        people.add_argument("--seed", type=int, default=1)
        visit = verbs.add_parser("visit", help="hand in traces and vote through the public API")
        visit.add_argument("url")
        visit.add_argument("file", type=Path)
        visit.add_argument("--traces", type=Path, required=True, help="JSONL; `planted` names a wrong sentence")
        visit.add_argument("--campaign", default="", help="id; may be left out where only one is open")
        visit.add_argument("--seconds", type=float, default=300.0, help="at most")
        visit.add_argument("--seed", type=int, default=1)
        standing = verbs.add_parser("standing", help="points and reputation by conduct, from this server's tables")
        standing.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """One of the four."""
        verbs = {"cores": self._cores, "people": self._people, "visit": self._visit, "standing": self._standing}
        try:
            verbs[options["verb"]](options)
        except (BadParameterError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(
                f"{error.filename or options.get('url')} cannot be reached: {error.strerror}."
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"A file cannot be read: {error!r}.") from error

    def _cores(self, options: dict[str, Any]) -> None:
        if min(options["passages"], options["votes"], options["seeds"]) < 1:
            raise CommandError("Passages, votes and seeds must be at least 1.")
        policy = PRESETS[options["policy"]]
        if options["waves"] < 0 or (options["waves"] and not policy.planner):
            raise CommandError(f"Waves need at least one passage a trace, and a policy that plans: {policy.name}?")
        gold = _share(options["gold"] or str(policy.honeypot_share))
        setting = Setting(
            mix=conducts.read_mix(text=options["mix"]),
            policy=policy,
            passages=options["passages"],
            votes=options["votes"],
            waves=options["waves"],
            gold=gold,
            misleading=min(gold, _share(options["model_fail"] or str(policy.model_fail_share))),
            transfer=options["transfer"],
            model_accuracy=options["model_accuracy"],
            suspends=not options["keep_suspended"],
        )
        # A process a seed, as many at once as there are cores: the seeds do not know of each other.
        with ProcessPoolExecutor(min(os.cpu_count() or 1, options["seeds"])) as pool:
            runs = list(pool.map(partial(_rehearse, setting), range(1, options["seeds"] + 1)))
        for line in figures.report(runs=runs):
            self.stdout.write(line)

    def _people(self, options: dict[str, Any]) -> None:
        body = members.make_members(mix=conducts.read_mix(text=options["mix"]), seed=options["seed"])
        # Tokens are secrets, also those of nobody.
        options["file"].touch(mode=0o600)
        options["file"].write_text(json.dumps(body, indent=1), encoding="utf-8")
        self.stdout.write(f"{len(body['members'])} simulated auditors and a provider; tokens in {options['file']}.")

    def _visit(self, options: dict[str, Any]) -> None:
        provider, crowd = members.read_members(path=options["file"])
        # Not splitlines, which also cuts at signs that JSON may hold as they are, such as U+2028.
        lines = options["traces"].read_text(encoding="utf-8-sig").split("\n")
        records = [json.loads(line) for line in lines if line.strip()]
        planted = tuple(filter(None, map(take_planted, records)))
        corpus = Corpus(tuple(_text(record) for record in records), planted)
        town = Crowd(base=options["url"], members=crowd, corpus=corpus, seed=options["seed"])
        extra = {"campaign": options["campaign"]} if options["campaign"] else {}
        town.hand_in(provider=provider, traces=[record | extra for record in records])
        visit = town.vote_until_idle(seconds=options["seconds"], say=self.stdout.write)
        self._tell(visit)

    def _tell(self, visit: Visit) -> None:
        self.stdout.write(figures.SIMULATED)
        self.stdout.write(f"{len(visit.audits)} audits, {visit.votes.total()} votes, {visit.silent} seats left silent")
        for conduct, count in sorted(visit.votes.items()):
            self.stdout.write(f"{conduct:<16} {count:>6} votes, {visit.right[conduct] / count:.0%} right")
        for word, count in visit.refused.items():
            self.stdout.write(f"refused {count} times: {word}")
        for request, seconds in sorted(visit.seconds.items()):
            cuts = quantiles(seconds, n=20) if len(seconds) > 1 else [seconds[0]] * 19
            self.stdout.write(
                f"{request:<12} {len(seconds):>6} requests, median {cuts[9]:.3f} s, 95 % {cuts[18]:.3f} s"
            )

    def _standing(self, options: dict[str, Any]) -> None:
        for line in members.standing_by_conduct(members=members.read_members(path=options["file"])[1]):
            self.stdout.write(line)


def take_planted(record: dict[str, Any]) -> str:
    """Take the planted sentence out of a trace, for no server reads it: the sentence, or where it stands; "" for none.

    >>> trace = {"title": "Eggs", "planted": {"segment_text": "5 * 3 = 16."}}
    >>> take_planted(trace), trace
    ('5 * 3 = 16.', {'title': 'Eggs'})
    """
    planted = record.pop("planted", None)
    return str(planted["segment_text"] if isinstance(planted, dict) else planted or "")


def _rehearse(setting: Setting, seed: int) -> Rehearsal:
    return rehearse(setting=setting, seed=seed)


def _text(record: dict[str, Any]) -> str:
    """Everything of a trace that may be shown to a reviewer."""
    parts = [record.get("problem", ""), record.get("thinking", ""), *record.get("steps", []), record.get("answer", "")]
    return "\n".join(map(str, parts))


def _share(text: str) -> Decimal:
    try:
        share = Decimal(text)
    except InvalidOperation:
        raise BadParameterError("gold", f"is no number: {text}") from None
    if not 0 <= share < 1:
        raise BadParameterError("gold", f"must lie in [0, 1), not {text}")
    return share
