"""The page of a set of traces: one file, no outside request, whatever a trace says."""

import base64
import hashlib
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

HOSTILE = "</template></script><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>"
WRONG = {
    "id": "gravel",
    "title": HOSTILE,
    "problem": f"A lawn is 21.5 m by 15.4 m. What is its area? {HOSTILE}",
    "thinking": "We multiply.\n\nIts area is $21.5 \\times 15.4 = 321.1$ square metres.\n\nSo it is 321.1. " + HOSTILE,
    "answer": f"321.1 {HOSTILE}",
}


def page_of(folder: Path, *records: object) -> str:
    source, page = folder / "in.jsonl", folder / "out.html"
    source.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    call_command("audit", str(source), html=str(page), workers=1, stdout=StringIO(), stderr=StringIO())
    return page.read_text()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("page"), WRONG, {**WRONG, "id": HOSTILE, "thinking": "It is so."})


def test_the_verdict_leads_with_what_is_wrong_and_what_is_right(page: str) -> None:
    reader = page[page.index('<template id="t1">') :]
    order = [
        reader.index(words) for words in ("Fails at step 2.", "It says 21.5 × 15.4 = 321.1; it is 331.1.", "Problem")
    ]
    assert order == sorted(order)
    assert "Proved by computer." in reader


def test_a_hostile_text_stays_a_text(page: str) -> None:
    assert page.count("<script>") == page.count("</script>") == 1
    assert page.count("<template") == page.count("</template>") == 2
    assert "<img" not in page
    assert page.count("&lt;script&gt;") > 5


def test_the_page_asks_nobody_for_anything(page: str) -> None:
    markup = re.sub(r"<script>.*</script>|<style>.*</style>", "", page, flags=re.DOTALL)
    links = re.findall(r'(?:href|src|action|data)="([^"]*)"', markup)
    assert links
    assert all(link.startswith("#") for link in links)
    style = re.findall(r"<style>(.*)</style>", page, re.DOTALL)[0]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("name", ["style", "script"])
def test_only_our_own_style_and_script_may_run(page: str, name: str) -> None:
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0].replace("&#x27;", "'")
    (text,) = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_every_link_of_a_verdict_leads_to_a_segment(page: str) -> None:
    names = set(re.findall(r'id="(t1[^"]*)"', page))
    first = page[page.index('<template id="t1">') : page.index('<template id="t2">')]
    targets = {link for link in re.findall(r'href="#(t1[^"]*)"', first) if not link.endswith("-G1")}
    assert len(targets) > 3
    assert targets <= names


def test_a_line_that_cannot_be_read_is_listed_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="1 of 2 records"):
        page_of(tmp_path, WRONG, {"id": "bad", "thinking": 7})
    written = (tmp_path / "out.html").read_text()
    assert "Not audited." in written
    assert written.count("<tr data-outcome") == 2


def test_a_page_of_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--html"):
        call_command("audit", "-", html=str(tmp_path / "x.html"), model="m", url="http://127.0.0.1:9")
