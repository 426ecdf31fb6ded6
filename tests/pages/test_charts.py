"""The files of charts: for the person whose page showed them, and for nobody else."""

import json
import re
from pathlib import Path

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from hdag.rendering.charts import drawing, engine
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
LINK = re.compile(r'href="(/charts/[0-9a-f]+/[0-9a-f]+\.)([a-z.]+)"')


def sign_in(client: Client, *roles: str, name: str = "lab@example.org") -> Client:
    client.force_login(make_user(name, *roles), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def admin(idle_hens: World) -> Client:
    return sign_in(Client(), "admin")


def first_chart(client: Client) -> dict[str, str]:
    links = LINK.findall(client.get("/policies/1").content.decode())
    return {kind: base + kind for base, kind in links if base == links[0][0]}


def test_every_chart_of_the_lab_is_drawn_with_its_numbers_and_six_files(admin: Client) -> None:
    page = admin.get("/policies/1").content.decode()
    charts = page.count('<figure class="chart')
    assert charts == page.count('focusable="false"') >= 7
    assert len(LINK.findall(page)) == 6 * charts


def test_each_file_is_what_its_name_says(admin: Client) -> None:
    files = {kind: admin.get(address) for kind, address in first_chart(admin).items()}
    assert set(files) == set(drawing.KINDS)
    assert {answer.status_code for answer in files.values()} == {200}
    assert all("attachment" in answer.headers["Content-Disposition"] for answer in files.values())
    assert files["png"].content.startswith(b"\x89PNG")
    assert b"<svg" in files["dark.svg"].content
    assert files["csv"].content.startswith(b"share of right votes,")
    assert json.loads(files["vl.json"].content)["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_an_address_is_nothing_to_another_person_or_a_stranger(admin: Client) -> None:
    address = first_chart(admin)["csv"]
    assert admin.get(address).status_code == 200
    assert sign_in(Client(), "admin", name="other@example.org").get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_what_nobody_was_shown_and_what_is_no_kind_is_not_there(admin: Client) -> None:
    address = first_chart(admin)["csv"]
    assert admin.get(address.replace(".csv", ".pdf")).status_code == 404
    assert admin.get(re.sub(r"charts/..", "charts/00", address)).status_code == 404


def test_a_page_shows_the_numbers_while_the_program_is_away(
    admin: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(drawing, "cache", LocMemCache("nothing drawn yet", {}))
    drawing._finished.cache_clear()
    monkeypatch.setattr(engine, "PROGRAM", tmp_path / "gone.py")
    engine.engine.close()
    page = admin.get("/policies/1").content.decode()
    assert page.count("The drawing is not to be had now") == page.count('<figure class="chart') >= 7
    assert admin.get(first_chart(admin)["svg"]).status_code == 503
