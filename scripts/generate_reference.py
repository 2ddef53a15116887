"""Writes the reference pages and the XML schemas from the language's tables: `make reference`."""

from __future__ import annotations

from pathlib import Path

from dramaturg.analysis.checks.rules import RULES
from dramaturg.language.reference import pages
from dramaturg.language.xml_schemas import relax_ng, xsd
from dramaturg.lsp.capabilities import capabilities_text

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "server" / "dramaturg" / "reference"
SCHEMAS = ROOT / "server" / "dramaturg" / "schemas"

if __name__ == "__main__":
    for folder in (FOLDER, SCHEMAS):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(RULES).items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    (ROOT / "server" / "dramaturg" / "lsp" / "capabilities.json").write_text(capabilities_text(), encoding="utf-8")
    (SCHEMAS / "task.rng").write_text(relax_ng(), encoding="utf-8")
    (SCHEMAS / "task.xsd").write_text(xsd(), encoding="utf-8")
