"""Every prefix of the examples is checked, completed and hovered over without an exception, as while typing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from dramaturg.analysis.snapshot import Document, Snapshot, language_of
from dramaturg.ide.completion import completions
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.ide.hover import hover

EXAMPLE = ROOT / "examples" / "bug-hunt"
FILES = sorted([*EXAMPLE.glob("*.wf"), *EXAMPLE.glob("tasks/*.task.xml")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_prefix(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    language = language_of(path.name)
    assert language is not None
    for end in range(len(text) + 1):
        document = Document(str(path), language, text[:end])
        snapshot = Snapshot(EXAMPLE, {str(path): document})
        for item in diagnostics(document, snapshot):
            assert 0 <= item.problem.span.start <= item.problem.span.end <= end
        for offered in completions(document, snapshot, end):
            assert offered.span.start <= end
        hover(document, snapshot, max(0, end - 1))
