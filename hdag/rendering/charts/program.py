"""The program behind `engine`: one JSON question a line, one JSON answer a line; ends when nobody asks any more."""

import base64
import json
import select
import sys
from typing import Any

import vl_convert

IDLE = 120.0  # seconds
VERSION = "6.4"  # of Vega-Lite: pinned, so that a drawing is the same after an update of the library


def answer(question: dict[str, Any]) -> dict[str, str]:
    """The drawing in base64, or why there is none."""
    if question["kind"] == "pdf":
        return _printed(question["svg"])
    specification = question["specification"]
    # The library draws an empty chart where it may not fetch; a chart that names a file or a server has to say no.
    if names_source(specification):
        return {"error": "A specification holds its data and names no file or server."}
    options: dict[str, Any] = {"vl_version": VERSION, "allowed_base_urls": []}
    try:
        if question["kind"] == "png":
            drawing = vl_convert.vegalite_to_png(specification, scale=question["scale"], **options)
        else:
            drawing = vl_convert.vegalite_to_svg(specification, **options).encode()
    except Exception as error:  # the library raises ValueError for whatever its JavaScript threw
        return {"error": str(error)[:500]}
    return {"drawing": base64.b64encode(drawing).decode()}


def _printed(svg: str) -> dict[str, str]:
    """A sheet of text as PDF. It is drawn by sheet.py alone, whose elements name no picture and no file."""
    try:
        return {"drawing": base64.b64encode(vl_convert.svg_to_pdf(svg)).decode()}
    except Exception as error:
        return {"error": str(error)[:500]}


def names_source(value: Any) -> bool:
    """Whether some part of a specification is to be fetched."""
    if isinstance(value, dict):
        return "url" in value or any(map(names_source, value.values()))
    return isinstance(value, list) and any(map(names_source, value))


def main() -> None:
    """Answer until standard input ends, or nobody has asked for a while."""
    while select.select([sys.stdin.buffer], [], [], IDLE)[0]:
        line = sys.stdin.buffer.readline()
        if not line:
            break
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
