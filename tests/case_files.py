"""Reads the Markdown cases, and renders what comes of a source in the way the fences show it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings
from dramaturg.engine.session import Session
from dramaturg.ide.completion import Item, completions
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.ide.hover import hover

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
SOURCES = ("workflow", "template")


@dataclass(frozen=True)
class Expectation:
    """A fence that says what comes of the source before it."""

    kind: str
    language: str
    source: str
    template: str
    text: str
    start: int
    end: int
    heading: str


def expectations(path: Path) -> list[Expectation]:
    """Every expectation of a case file, in order."""
    text = path.read_text(encoding="utf-8")
    found: list[Expectation] = []
    language, source, template = "", "", ""
    last_kind = ""
    for fence in FENCE.finditer(text):
        kind, body = fence.group(1), fence.group(2)
        if kind in SOURCES:
            template = source if kind == "workflow" and last_kind == "template" else ""
            language, source = kind, body
        else:
            headings = [heading.group(1) for heading in HEADING.finditer(text, 0, fence.start())]
            heading = headings[-1] if headings else path.stem
            found.append(Expectation(kind, language, source, template, body, fence.start(2), fence.end(2), heading))
        last_kind = kind
    return found


def actual(case: Expectation, folder: Path) -> str:
    """What really comes of the case, as its fence would say it."""
    cursor = case.source.find("$0")
    source = case.source.replace("$0", "", 1) if cursor >= 0 else case.source
    path = str(folder / ("case.wf" if case.language == "workflow" else "case.task.xml"))
    document = Document(path, "workflow" if case.language == "workflow" else "template", source)
    documents = {path: document}
    if case.template:
        other = str(folder / "tasks.task.xml")
        documents[other] = Document(other, "template", case.template)
    snapshot = Snapshot(folder, documents)
    if case.kind == "diagnostics":
        return _diagnostics(document, snapshot)
    if case.kind == "hover":
        shown = hover(document, snapshot, cursor)
        return f"{shown.markdown}\n".replace("```", "~~~") if shown else "nothing\n"
    if case.kind == "completion":
        items = [item for item in completions(document, snapshot, cursor) if _fits(item, source)][:10]
        return "".join(f"{item.label}  {item.kind}  {item.detail}".rstrip() + "\n" for item in items) or "nothing\n"
    return _run(case.kind, source, path, folder)


def _fits(item: Item, source: str) -> bool:
    """Whether an editor still shows the item for what is typed before the cursor."""
    typed = source[item.span.start : item.span.end].lower()
    return item.label.lower().startswith(typed)


def _diagnostics(document: Document, snapshot: Snapshot) -> str:
    lines: list[str] = []
    for item in diagnostics(document, snapshot):
        span = item.problem.span
        line, column = document.lines.position(span.start)
        text = document.lines.line(line)
        carets = "^" * max(1, min(span.end - span.start, len(text) - column))
        lines += [text, " " * column + f"{carets} {item.severity}[{item.problem.code}]: {item.problem.message}"]
    return "".join(f"{line}\n" for line in lines) or "none\n"


def _run(kind: str, source: str, path: str, folder: Path) -> str:
    session = Session(folder, Settings())
    result = asyncio.run(session.run_workflow(source, path))
    error = result.notes.error
    if kind == "value":
        return f"{result.content}\n" if error is None else f"FAILED: {error.message}\n"
    if error is None:
        return f"no error: {result.content}\n"
    place = result.notes.as_dict().get("location")
    where = f"{place['line']}:{place['column']} " if isinstance(place, dict) else ""
    reason = getattr(error, "reason", "")
    return f"{where}{error.message}\n{error.type} {reason}".rstrip() + "\n"
