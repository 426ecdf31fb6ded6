"""The documents: links and paths lead somewhere, the drawn pages are the code's, figures stand where they belong."""

import re
from pathlib import Path

import pytest

from trustweb.management.commands.data_model import draw_page, page_path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
)
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
TOPS = "accounts|auditing|benchmarks|docs|hdag|static|templates|tests|trustweb"
PATH = re.compile(rf"(?:{TOPS})/[\w./-]*")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
NOT_YET = "<"  # a path with a placeholder, such as auditing/checker/checks/<name>.py
ON_A_MACHINE = re.compile(r"\d cores|\d\d GB\b|\b20\d\d-\d\d-\d\d\b|\b\d+ (?:November|December) 20\d\d|\bMended\b")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def anchors_of(text):
    """The anchors that a reader of Markdown makes from headings."""
    headings = (heading.lower() for heading in HEADING.findall(FENCE.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def lead_astray(path):
    """Relative links of one document that lead nowhere."""
    for link in LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        if "://" in link or link.startswith(("mailto:", "/")):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        if not target.exists() or (anchor and anchor not in anchors_of(target.read_text(encoding="utf-8"))):
            yield link


def paths_in(text):
    """Paths of the repository that stand in backquotes, without an anchor or a line."""
    for quoted in re.findall(r"`([^`\n]+)`", FENCE.sub("", text)):
        for word in quoted.split():
            if PATH.fullmatch(word) and NOT_YET not in quoted:
                yield word.rstrip(".")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_relative_link_leads_somewhere(path):
    assert list(lead_astray(path)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_path_that_is_named_exists(path):
    missing = [word for word in paths_in(path.read_text(encoding="utf-8")) if not (ROOT / word).exists()]
    assert missing == []


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_guides_say_what_is_and_leave_machines_and_dates_to_the_measurements(path):
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    assert ON_A_MACHINE.findall(text) == []


def test_every_document_is_reached_from_the_index():
    reached, open_pages = set(), [ROOT / "docs" / "index.md"]
    while open_pages:
        page = open_pages.pop()
        if page not in reached:
            reached.add(page)
            links = (link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")))
            open_pages += [
                target for link in links if link.endswith(".md") and (target := (page.parent / link).resolve()).exists()
            ]
    assert set((ROOT / "docs").rglob("*.md")) - reached == set()


def test_the_data_model_is_drawn_from_the_models():
    assert page_path().read_text(encoding="utf-8") == draw_page(), "run manage.py data_model"


def test_nothing_outside_tests_and_benchmarks_names_what_lies_beside_the_repository():
    beside = "../" + "shared"
    named = [
        name_of(path)
        for top in ("accounts", "auditing", "docs", "hdag", "static", "templates", "trustweb")
        for path in (ROOT / top).rglob("*")
        if path.suffix in {".py", ".md", ".html", ".js", ".css"} and beside in path.read_text(errors="replace")
    ]
    assert named == []


@pytest.mark.parametrize(
    "text", ["[there](no-such-file.md)", "[there](#no-such-heading)", "[there](../docs/index.md#no-such-heading)"]
)
def test_the_rule_of_links_bites(text, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{text}\n")
    assert list(lead_astray(page)) != []


def test_the_rule_of_paths_bites():
    assert list(paths_in("`auditing/core/no_such.py` and `tests/`")) == ["auditing/core/no_such.py", "tests/"]
