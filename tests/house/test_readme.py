"""The README's drawing is the stage table, drawn."""

import re
from pathlib import Path

from auditing.core.stages import AUDIT_STAGES, ROUND_STAGES

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"(<!-- corridor -->\n).*(<!-- /corridor -->)", re.DOTALL)


def draw():
    """Both state machines as a Mermaid diagram."""
    lines = ["```mermaid", "stateDiagram-v2", "    direction LR", "    [*] --> submitted"]
    for table in (AUDIT_STAGES, ROUND_STAGES):
        inside = table is ROUND_STAGES
        lines += ["    state auditing {", "        direction LR", "        [*] --> seated"] if inside else []
        pad = "        " if inside else "    "
        for stage in table.values():
            doors = [f"{stage.name} --> {target} : {stage.opened_by}" for target in stage.next if target not in SIDE]
            lines += [pad + door for door in doors] or (
                [f"{pad}{stage.name} --> [*]"] if stage.name not in SIDE else []
            )
        lines += ["    }"] if inside else []
    sides = ", ".join(f"`{side}`" for side in SIDE)
    return "\n".join([*lines, "```", "", f"Side doors, until the outcome is decided: {sides}.", ""])


SIDE = ("failed", "withdrawn")


def test_the_drawing_in_the_readme_is_the_stage_table():
    text = README.read_text()
    expected = BLOCK.sub(lambda match: match.group(1) + draw() + match.group(2), text)
    assert text == expected, f"replace the block in README.md by:\n{draw()}"
