"""The Python examples of the documentation."""

import os
import re
from pathlib import Path

#: Modules besides those of Python that examples may need; without them they are left out.
OPTIONAL = ("ray", "chess", "pandas", "IPython")


def pages():
    """The pages with examples: of this repository, wherever the tests are run."""
    root = Path(os.environ.get("HEXMATE_DOCS", Path(__file__).parents[2]))
    return [*sorted((root / "docs").glob("*.md")), root / "python" / "README.md"]


def examples():
    """Each example: its page, its text, and the optional modules that it needs. What is marked as not run is left out."""
    found = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for marked, code in re.findall(r"^(<!-- not run: [^\n]+ -->\n)?```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            if marked:
                continue
            needs = [name for name in OPTIONAL if re.search(rf"\b(import {name}|hexmate\.{name})\b", code)]
            if "chess_engine" in code:
                needs.append("chess")
            found.append((page.stem, code, needs))
    return found
