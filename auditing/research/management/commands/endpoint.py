"""manage.py endpoint: add, list, check and probe the servers that answer as language models."""

from argparse import ArgumentParser
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from auditing.selectors.campaigns.lookup import find_campaign
from auditing.selectors.policy.lookup import find_version
from auditing.selectors.policy.versions import latest_policy
from auditing.services.model_tier.consents import ConsentRefusedError, agree
from auditing.services.model_tier.endpoints import probe_endpoint
from auditing.services.model_tier.new_endpoint import SETTABLE, EndpointRefusedError, NewEndpoint, add_endpoint
from hdag.chat.dialects.table import DIALECTS
from hdag.chat.probing.probe import ProbeReport
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.models import Endpoint


class Command(BaseCommand):
    """One server is one row; what a row leaves open, its dialect says."""

    help = "Add, list, check or probe an endpoint of a language model; say which texts may go there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The verb first."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="all endpoints")
        verbs.add_parser("dialects", help="the servers that are known, and where that is documented")
        for verb, words in (("check", "one small question in each mode"), ("probe", "every question in each mode")):
            verbs.add_parser(verb, help=words).add_argument("name")
        agree = verbs.add_parser("agree", help="texts of a campaign, under its policy, may go to this server")
        agree.add_argument("name")
        agree.add_argument("--campaign", type=UUID, default=None, help="its id; without it: traces in no campaign")
        agree.add_argument("--policy", type=int, default=None, help="its number; by default the campaign's, the newest")
        agree.add_argument(
            "--extent", default="", choices=["", *Endpoint.MaySee.values], help="by default what it may see"
        )
        add = verbs.add_parser("add", help="store a new endpoint")
        add.add_argument("name")
        add.add_argument("--url", default="", help="base URL; by default the one that the dialect documents")
        add.add_argument("--model", required=True)
        add.add_argument("--dialect", default="", choices=["", *DIALECTS], help="by default as the address says")
        add.add_argument("--family", default="", help="whose model it is; by default as its name says")
        add.add_argument("--key-variable", default="", help="environment variable with the key, ending in _API_KEY")
        add.add_argument("--may-see", default="segments only", choices=[value for value, _ in Endpoint.MaySee.choices])
        add.add_argument("--price-in", type=Decimal, default=Decimal(0), help="per million tokens")
        add.add_argument("--price-out", type=Decimal, default=Decimal(0), help="per million tokens")
        add.add_argument("--price-cached", type=Decimal, default=None, help="per million cached tokens in")
        add.add_argument("--batches", action="store_true", help="ask in batches, at half price, where a day is left")
        add.add_argument("--concurrency", type=int, default=4, help="calls in flight")
        add.add_argument("--timeout", type=int, default=120, help="seconds of one attempt")
        add.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="FIELD=VALUE",
            help=f"where it differs from its dialect: {', '.join(SETTABLE)}; again for more",
        )
        add.add_argument("--daily-cap", type=Decimal, default=Decimal(10))
        add.add_argument("--audit-cap", type=Decimal, default=Decimal(1))

    def handle(self, *args: Any, **options: Any) -> None:
        """Carry the verb out."""
        verb = options["verb"]
        if verb == "add":
            self._add(options)
        elif verb == "check":
            call_command("check_endpoint", options["name"], stdout=self.stdout)
        elif verb == "probe":
            self._probe(options["name"])
        elif verb == "agree":
            self._agree(options)
        elif verb == "dialects":
            self._list_dialects()
        else:
            self._list_endpoints()

    def _add(self, options: dict[str, Any]) -> None:
        wanted = NewEndpoint(
            name=options["name"],
            base_url=options["url"],
            model=options["model"],
            dialect=options["dialect"],
            family=options["family"],
            key_variable=options["key_variable"],
            further={
                "may_see": options["may_see"],
                "price_in": options["price_in"],
                "price_out": options["price_out"],
                "price_cached": options["price_cached"],
                "batches": options["batches"],
                "max_concurrency": options["concurrency"],
                "timeout_seconds": options["timeout"],
                "daily_cap": options["daily_cap"],
                "audit_cap": options["audit_cap"],
                **_terms_of(options["set"]),
            },
        )
        try:
            row = add_endpoint(wanted=wanted, actor=None)
        except EndpointRefusedError as error:
            raise CommandError(str(error)) from None
        key = row.key_variable or "none"
        self.stdout.write(f"{row.name}: {row.model} at {row.base_url}, dialect {row.dialect}, key from {key}")
        self.stdout.write(f"next: manage.py endpoint probe {row.name}")

    def _agree(self, options: dict[str, Any]) -> None:
        row = self._named(options["name"])
        campaign = find_campaign(key=options["campaign"]) if options["campaign"] else None
        if options["campaign"] and campaign is None:
            raise CommandError(f"there is no campaign {options['campaign']}")
        number = options["policy"]
        # Consent is given under a policy: by default the one that the campaign, or else the next audit, runs under.
        usual = campaign.policy if campaign else latest_policy()
        policy = usual if number is None else find_version(number=number)
        if policy is None:
            raise CommandError("there is no such policy")
        extent = options["extent"] or row.may_see
        try:
            consent = agree(endpoint=row, policy=policy, campaign=campaign, extent=extent, actor=None)
        except ConsentRefusedError as error:
            raise CommandError(str(error)) from None
        texts = f"campaign {campaign.title!r}" if campaign else "traces in no campaign"
        self.stdout.write(f"{consent.extent} of {texts}, under {policy}, may go to {consent.server}")

    def _list_endpoints(self) -> None:
        for row in Endpoint.objects.order_by("name"):
            probed = f"probed {row.probed_at:%Y-%m-%d}" if row.probed_at else "not probed"
            state = "enabled" if row.enabled else "off"
            self.stdout.write(f"{row.name:<20} {row.dialect:<17} {row.model:<30} {row.base_url}  {state}, {probed}")

    def _list_dialects(self) -> None:
        for dialect in DIALECTS.values():
            self.stdout.write(f"{dialect.name:<17} {dialect.title}; {dialect.base_url or 'an address of yours'}")
            for source in (*dialect.sources, f"batches: {dialect.batches}"):
                self.stdout.write(f"{'':<17}   {source}")

    def _probe(self, name: str) -> None:
        row = self._named(name)
        report = probe_endpoint(row=row)
        self._print(row, report)
        if report.best is None:
            raise CommandError(f"{name} gave no usable answer: {report.reason}")

    def _named(self, name: str) -> Endpoint:
        row = Endpoint.objects.filter(name=name).first()
        if row is None:
            names = ", ".join(Endpoint.objects.order_by("name").values_list("name", flat=True)) or "none"
            raise CommandError(f"there is no endpoint named {name!r}; there are: {names}")
        return row

    def _print(self, row: Endpoint, report: ProbeReport) -> None:
        for mode in report.modes:
            self.stdout.write(f"{mode.mode:<12} {mode.answered} of {len(mode.questions)} questions answered")
            for asked in mode.questions:
                if asked.failure:
                    self.stdout.write(f"  {asked.purpose:<14} {asked.failure}: {asked.reason[:200]}")
        spent = report.spent
        tokens = f"{spent.usage.tokens_in} + {spent.usage.tokens_out} tokens"
        self.stdout.write(f"{spent.calls} calls, {tokens}, cost {spent.cost:f}")
        if report.best is not None:
            sent = "sent" if report.best.sends_temperature else "left out"
            self.stdout.write(
                f"stored: {row.name} is asked by {report.best.answer_mode}, limit {report.best.limit_field}, "
                f"temperature {sent}, {report.best.thinking_tokens} tokens to think"
            )


def _terms_of(words: list[str]) -> dict[str, Any]:
    """FIELD=VALUE as fields of the row. Raises CommandError."""
    terms: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in SETTABLE or not value:
            raise CommandError(f"--set {word}: FIELD=VALUE, FIELD one of {', '.join(SETTABLE)}")
        try:
            terms[name] = read_json(value, where="extra_body") if name == "extra_body" else value
        except HdagError as error:
            raise CommandError(f"--set {word}: {error}") from None
    return terms
