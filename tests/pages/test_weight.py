"""What a page weighs on its way: compressed where its length betrays nothing; files compressed ahead, kept for ever."""

import gzip
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.test import Client
from whitenoise import WhiteNoise  # type: ignore[import-untyped]

from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in
from trustweb import fonts
from trustweb.serve import assets
from trustweb.static_files import HashedStaticFiles

STATIC = Path(__file__).resolve().parents[2] / "static"
OWN, STRANGER = {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "cross-site"}
TTF_BYTES = 1_517_704


def ask(client: Client, address: str, **headers: str) -> Any:
    return client.get(address, headers={"Accept-Encoding": "br, gzip", **headers})


def reader() -> Client:
    return signed_in(make_user("c@example.org", "consumer", "reviewer"))


@pytest.mark.django_db
def test_a_page_that_its_reader_asked_for_is_compressed() -> None:
    answer = ask(reader(), "/audits", **OWN)
    assert answer["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer["Vary"]
    assert b"<h1" in gzip.decompress(answer.content)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "headers", [STRANGER, {"Sec-Fetch-Site": "same-site"}, {}, {"Referer": "https://evil.example/"}]
)
def test_a_page_that_another_site_may_have_asked_for_keeps_its_length(headers: dict[str, str]) -> None:
    """BREACH: who makes a victim's browser ask again and again reads a secret off the compressed lengths."""
    assert "Content-Encoding" not in ask(reader(), "/audits", **headers)


@pytest.mark.django_db
def test_without_sec_fetch_site_our_own_referer_counts() -> None:
    assert "Content-Encoding" in ask(reader(), "/audits", Referer="http://testserver/home")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/me/tokens", "/accounts/2fa/", "/desk", "/record", "/me"])
def test_a_page_that_may_carry_a_secret_is_never_compressed(address: str) -> None:
    answer = ask(reader(), address, **OWN)
    assert answer.status_code in (200, 302)
    assert "Content-Encoding" not in answer


@pytest.mark.django_db
def test_two_answers_of_one_page_differ_in_length() -> None:
    """The length of a page tells no exact number: up to 100 random bytes go with it."""
    client = reader()
    assert len({len(ask(client, "/audits", **OWN).content) for _ in range(12)}) > 1


def test_an_answer_to_nobody_in_particular_is_compressed() -> None:
    assert ask(Client(), "/api/schema", Accept="application/json")["Content-Encoding"] == "gzip"


def test_the_maths_font_weighs_a_tenth_of_the_packages() -> None:
    folder = fonts.ensure_fonts()
    assert (folder / fonts.COMMON).stat().st_size < TTF_BYTES / 10
    assert (folder / fonts.MORE).stat().st_size < TTF_BYTES / 5


def test_the_two_fonts_together_have_every_character_of_the_packages() -> None:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    folder = fonts.ensure_fonts()
    package = Path(find_spec("ziamath").origin).parent  # type: ignore[union-attr, arg-type]
    with (
        TTFont(folder / fonts.COMMON) as common,
        TTFont(folder / fonts.MORE) as more,
        TTFont(package / "fonts" / "STIXTwoMath-Regular.ttf") as source,
    ):
        has = [set(common.getBestCmap()), set(more.getBestCmap())]
        assert set().union(*has) == set(source.getBestCmap()) - set(fonts.PRIVATE_USE)
        assert {ord(char) for char in "0xαπ√∑∫≤→ℝ𝑥"} <= has[0]
        assert "MATH" in common  # the table that stretches brackets and roots


@pytest.mark.parametrize("sheet", ["css/base.css", "css/desk.css"])
def test_the_style_sheets_name_the_ranges_of_the_fonts(sheet: str) -> None:
    faces = re.findall(r'url\("\.\./(fonts/[^"]+)"\).*?unicode-range:([^;]+);', (STATIC / sheet).read_text(), re.S)
    points = {name: fonts.read_ranges(re.sub(r"U\+|\s", "", ranges)) for name, ranges in faces}
    common = fonts.read_ranges(fonts.RANGES)
    assert points[fonts.COMMON] == common
    assert points.get(fonts.MORE, set()) in (set(), set(range(0x100, 0x110000)) - common)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own files as collectstatic leaves them."""
    root = tmp_path_factory.mktemp("collected")
    shutil.copytree(STATIC, root, dirs_exist_ok=True)
    shutil.copytree(fonts.ensure_fonts() / "fonts", root / "fonts")
    storage = HashedStaticFiles(location=root, base_url="/static/")
    names = [str(path.relative_to(root)) for path in sorted(root.rglob("*.*"))]
    source = FileSystemStorage(location=root)
    for _, _, processed in storage.post_process({name: (source, name) for name in names}):
        assert not isinstance(processed, Exception)
    return root


def test_a_script_imports_its_modules_under_their_digests(collected: Path) -> None:
    (script,) = (path for path in (collected / "js").glob("passage.*.js"))
    imports = re.findall(r'(?:from|import) ?"(\./[^"]+)"', script.read_text())
    assert len(imports) > 10
    assert all(re.fullmatch(r"\./[\w-]+\.[0-9a-f]{12}\.js", name) for name in imports)
    assert all((collected / "js" / name).is_file() for name in imports)


def test_a_hashed_file_goes_out_compressed_and_is_kept_for_ever(collected: Path) -> None:
    files = WhiteNoise(None, root=collected, prefix="/static/", immutable_file_test=r"\.[0-9a-f]{12}\.")
    (sheet,) = (path for path in (collected / "css").glob("components.*.css"))
    answer = files.files[f"/static/css/{sheet.name}"].get_response("GET", {"HTTP_ACCEPT_ENCODING": "br"})
    answer.file.close()
    headers = dict(answer.headers)
    assert headers["Content-Encoding"] == "br"
    assert "immutable" in headers["Cache-Control"]
    assert int(headers["Content-Length"]) < sheet.stat().st_size / 3


def test_a_changed_source_is_collected_anew(tmp_path: Path) -> None:
    folder = assets.Assets(tmp_path)
    assert not folder.are_current
    folder.note_current()
    assert folder.are_current
    folder.stamp.write_text("an older digest")
    assert not folder.are_current


def test_compression_stands_inside_the_static_files_and_outside_everything_that_writes_a_page() -> None:
    order = [name.rpartition(".")[2] for name in settings.MIDDLEWARE]
    assert order.index("WhiteNoiseMiddleware") < order.index("Compression") < order.index("SessionMiddleware")
