"""Files of traces that a program hands in under a price, and by the command of the client."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from accounts.services.tokens import make_token
from auditing.client.__main__ import main
from auditing.core.policy import FAST
from auditing.models import Audit
from auditing.research.treasury.services import grant
from tests.api.test_trace_files import GOOD, as_lines, hand_in, packed, rows_of
from tests.factories.worlds import make_world
from tests.tools.site import Site


@pytest.mark.django_db
def test_what_no_credit_covers_is_refused_trace_by_trace() -> None:
    world = make_world(policy=replace(FAST, trace_price=50))
    admin = User.objects.get(email="admin@example.org")
    grant(to=world.provider, points=120, reason="For a pilot.", by=admin, key=uuid4())
    *rows, last = rows_of(hand_in(world, as_lines(*GOOD)))
    assert (last["opened"], last["refused"]) == (2, 1)
    assert "credit" in rows[2]["refused"]
    assert Audit.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_command_of_the_client_hands_a_zip_in_and_prints_a_line_a_record(
    site: Site, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    world = make_world()
    monkeypatch.setenv("TRUST_TOKEN", make_token(user=world.provider, name="c", scopes=["traces"])[1])
    path = tmp_path / "traces.zip"
    path.write_bytes(packed(a_jsonl=as_lines(*GOOD), b_jsonl=b"{half\n"))
    assert main(["hand-in", str(path), "--base", site.url, "--tags", "easy,new"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == {"opened": 3, "known": 0, "refused": 1, "ignored": []}
    assert Audit.objects.count() == 3
    path.write_bytes(b"PK\x03\x04 no archive")
    assert main(["hand-in", str(path), "--base", site.url]) == 2
    assert "400 Unreadable" in capsys.readouterr().err
