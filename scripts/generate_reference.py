"""Writes the reference pages from the language's tables: `make reference`."""

from __future__ import annotations

from pathlib import Path

from dramaturg.analysis.checks.rules import RULES
from dramaturg.language.reference import pages

FOLDER = Path(__file__).parent.parent / "docs" / "reference"

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages(RULES).items():
        (FOLDER / name).write_text(text, encoding="utf-8")
