"""`make figures`: bytes, requests, elements and layout shift of every page, as a table in Markdown.

Not collected with the tests: it asserts nothing, it writes the file that TRUST_FIGURES names.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import User
from auditing.models import Audit
from tests.browser.test_every_page import crawl, everybody, shape

__all__ = ["everybody"]
pytestmark = pytest.mark.django_db(transaction=True)
FILE = Path(os.environ.get("TRUST_FIGURES") or ".run/page-figures.md")
HEAD = """# Figures of every page

Made by `make figures`: chromium at 1440 by 900 with an empty cache, a world of two short audits, a person with every
role. Bytes are those on the wire (compressed, all files together), elements those of the document, shift the cumulative
layout shift (CLS; under .1 is called good).

| page | requests | kB on the wire | elements | shift |
|---|---|---|---|---|
"""
SHIFT = """window.shift = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });"""


def test_figures(page: Page, sign_in: Callable[[Any], None], everybody: User) -> None:
    sign_in(everybody)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(SHIFT)
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    rows: dict[str, str] = {}

    def measure(page: Page, address: str) -> list[str]:
        sizes.clear()
        page.goto(address, wait_until="networkidle")
        nodes, shift = page.evaluate("[document.querySelectorAll('*').length, window.shift]")
        kilobytes = sum(sizes) / 1000
        rows[shape(address)] = f"| `{shape(address)}` | {len(sizes)} | {kilobytes:.0f} | {nodes:,} | {shift:.3f} |"
        return []

    recorded = Audit.objects.get(stage="recorded")
    crawl(page, ["/", "/desk", "/me", f"/audits/{recorded.pk}", f"/audits/{recorded.pk}/appeal", "/gold"], measure)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(HEAD + "\n".join(rows[name] for name in sorted(rows)) + "\n", encoding="utf-8")
