"""Reads the Markdown cases, and renders what comes of a source in the way the fences show it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dramaturg.analysis.references import Location
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings
from dramaturg.engine.session import Session
from dramaturg.ide.call_hierarchy import incoming_calls, outgoing_calls, prepare_call_hierarchy
from dramaturg.ide.code_actions import code_actions
from dramaturg.ide.code_actions.action import applied
from dramaturg.ide.code_lens import code_lenses
from dramaturg.ide.completion import Item, completions
from dramaturg.ide.definition import definition, type_definition
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.ide.document_link import document_links
from dramaturg.ide.format import format_workflow
from dramaturg.ide.format_template import format_template
from dramaturg.ide.hover import hover
from dramaturg.ide.inlay_hint import inlay_hints
from dramaturg.ide.references import document_highlights, references
from dramaturg.ide.rename import Refused, prepare_rename, rename
from dramaturg.ide.semantic_tokens import MODIFIERS, TYPES, semantic_tokens
from dramaturg.ide.signature_help import signature_help
from dramaturg.ide.structure import folding_ranges, linked_editing_ranges, selection_ranges
from dramaturg.ide.symbols import Symbol, document_symbols
from dramaturg.text import Span

FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
SOURCES = ("workflow", "template")


@dataclass(frozen=True)
class Expectation:
    """A fence that says what comes of the source before it; `argument` stands behind the fence's kind."""

    kind: str
    argument: str
    language: str
    source: str
    others: tuple[tuple[str, str], ...]
    text: str
    start: int
    end: int
    heading: str


def expectations(path: Path) -> list[Expectation]:
    """Every expectation of a case file, in order; a source with a file name before one is seen by it."""
    text = path.read_text(encoding="utf-8")
    found: list[Expectation] = []
    language, source = "", ""
    sources: list[tuple[str, str]] = []
    was_source = False
    for fence in FENCE.finditer(text):
        kind, argument, body = fence.group(1), fence.group(2) or "", fence.group(3)
        if kind in SOURCES:
            sources = [*sources, (language, source)] if was_source else []
            language, source = kind, body
        else:
            headings = [heading.group(1) for heading in HEADING.finditer(text, 0, fence.start())]
            heading = headings[-1] if headings else path.stem
            place = (fence.start(3), fence.end(3))
            found.append(Expectation(kind, argument, language, source, tuple(sources), body, *place, heading))
        was_source = kind in SOURCES
    return found


@dataclass(frozen=True)
class Case:
    """A source as the features see it."""

    document: Document
    snapshot: Snapshot
    cursor: int
    argument: str
    folder: Path

    @property
    def path(self) -> str:
        """The source's path."""
        return self.document.path


def actual(case: Expectation, folder: Path) -> str:
    """What really comes of the case, as its fence would say it."""
    cursor = case.source.find("$0")
    source = case.source.replace("$0", "", 1) if cursor >= 0 else case.source
    path = str(folder / ("case.wf" if case.language == "workflow" else "case.task.xml"))
    document = Document(path, "workflow" if case.language == "workflow" else "template", source)
    documents = {path: document}
    for number, (language, text) in enumerate(case.others):
        name = ("tasks" if language == "template" else "lib") + (str(number + 1) if number else "")
        other = str(folder / f"{name}{'.task.xml' if language == 'template' else '.wf'}")
        documents[other] = Document(other, "template" if language == "template" else "workflow", text)
    snapshot = Snapshot(folder, documents)
    if case.kind in ("value", "error"):
        return _run(case.kind, source, path, folder)
    return RENDERERS[case.kind](Case(document, snapshot, cursor, case.argument, folder))


def _fits(item: Item, source: str) -> bool:
    """Whether an editor still shows the item for what is typed before the cursor."""
    typed = source[item.span.start : item.span.end].lower()
    return item.label.lower().startswith(typed)


def _hover(case: Case) -> str:
    shown = hover(case.document, case.snapshot, case.cursor)
    return f"{shown.markdown}\n".replace("```", "~~~") if shown else "nothing\n"


def _completion(case: Case) -> str:
    items = completions(case.document, case.snapshot, case.cursor)
    items = [item for item in items if _fits(item, case.document.text)][:10]
    return "".join(f"{item.label}  {item.kind}  {item.detail}".rstrip() + "\n" for item in items) or "nothing\n"


def _diagnostics(case: Case) -> str:
    lines: list[str] = []
    for item in diagnostics(case.document, case.snapshot):
        lines += _under(case.document, item.problem.span)
        lines[-1] += f" {item.severity}[{item.problem.code}]: {item.problem.message}"
    return "".join(f"{line}\n" for line in lines) or "none\n"


def _under(document: Document, span: Span) -> list[str]:
    """A line of the document, and carets under a span of it."""
    line, column = document.lines.position(span.start)
    text = document.lines.line(line)
    carets = "^" * max(1, min(span.end - span.start, len(text) - column))
    return [text, " " * column + carets]


def _places(case: Case, places: list[Location]) -> str:
    lines: list[str] = []
    for place in places:
        document = case.snapshot.document(place.path)
        name = Path(place.path).name
        if document is None:
            lines.append(f"{name}")
            continue
        shown = _under(document, place.span)
        lines += [f"{name}:{document.lines.position(place.span.start).line + 1}", *shown]
        lines[-1] += f" {place.role}"
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


def _rename(case: Case) -> str:
    try:
        edits = rename(case.document, case.snapshot, case.cursor, case.argument)
    except Refused as refusal:
        return f"refused: {refusal}\n"
    lines: list[str] = []
    for path in dict.fromkeys(edit.path for edit in edits):
        document = case.snapshot.documents[path]
        text = document.text
        for edit in sorted((edit for edit in edits if edit.path == path), key=lambda edit: edit.span, reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        lines.append(f"--- {Path(path).name}")
        old = document.text.splitlines()
        lines += [line for before, line in zip(old, text.splitlines(), strict=True) if before != line]
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


def _prepare(case: Case) -> str:
    try:
        span = prepare_rename(case.document, case.snapshot, case.cursor)
    except Refused as refusal:
        return f"refused: {refusal}\n"
    return f"{case.document.text[span.start : span.end]}\n"


def _symbols(case: Case) -> str:
    def lines(symbols: list[Symbol] | tuple[Symbol, ...], depth: int) -> list[str]:
        found: list[str] = []
        for item in symbols:
            found.append(f"{'  ' * depth}{item.kind} {item.name}  {item.detail}".rstrip())
            found += lines(item.children, depth + 1)
        return found

    return "".join(f"{line}\n" for line in lines(document_symbols(case.document), 0)) or "nothing\n"


def _signature(case: Case) -> str:
    found = signature_help(case.document, case.snapshot, case.cursor)
    if found is None:
        return "nothing\n"
    label = found.label
    if found.active is not None and found.parameters:
        span = found.parameters[found.active].span
        label = f"{label[: span.start]}«{label[span.start : span.end]}»{label[span.end :]}"
    return f"{label}\n"


def _hints(case: Case) -> str:
    text = case.document.text
    whole = Span(0, len(text))
    for hint in sorted(inlay_hints(case.document, case.snapshot, whole), key=lambda item: item.offset, reverse=True):
        text = f"{text[: hint.offset]}⟦{hint.label}⟧{text[hint.offset :]}"
    return text


def _tokens(case: Case) -> str:
    data = semantic_tokens(case.document, case.snapshot, "utf-32")
    line = column = 0
    found: list[str] = []
    for at in range(0, len(data), 5):
        lines, columns, length, type_, modifiers = data[at : at + 5]
        column = columns + (0 if lines else column)
        line += lines
        names = [name for number, name in enumerate(MODIFIERS) if modifiers & (1 << number)]
        text = case.document.lines.line(line)[column : column + length]
        found.append(" ".join([text, TYPES[type_], *names]))
    return "".join(f"{item}\n" for item in found) or "nothing\n"


def _folding(case: Case) -> str:
    return (
        "".join(f"{first + 1}-{last + 1} {kind}\n" for first, last, kind in folding_ranges(case.document))
        or "nothing\n"
    )


def _selection(case: Case) -> str:
    spans = selection_ranges(case.document, case.cursor)
    return "".join(" ".join(case.document.text[span.start : span.end].split()) + "\n" for span in spans)


def _linked(case: Case) -> str:
    spans = linked_editing_ranges(case.document, case.cursor)
    return "".join("\n".join(_under(case.document, span)) + "\n" for span in spans) or "nothing\n"


def _links(case: Case) -> str:
    found = document_links(case.document, case.snapshot)
    return "".join(f"{case.document.text[slice(*span)]} → {Path(path).name}\n" for span, path in found) or "nothing\n"


def _lenses(case: Case) -> str:
    lines = case.document.lines
    found = code_lenses(case.document, "case")
    return "".join(f"{lines.position(item.span.start).line + 1}: {item.title}\n" for item in found) or "nothing\n"


def _actions(case: Case) -> str:
    """Titles, or with an argument the text that the first action so titled makes."""
    at = case.cursor if case.cursor >= 0 else 0
    end = at
    if case.cursor < 0:
        end = len(case.document.text)
    elif case.argument.startswith("select "):
        end = at + len(case.argument.removeprefix("select ").partition(" → ")[0])
    found = code_actions(case.document, case.snapshot, Span(at, end))
    wanted = case.argument.partition(" → ")[2] if case.argument.startswith("select ") else case.argument
    if not wanted:
        return "".join(f"{item.kind}: {item.title}\n" for item in found) or "nothing\n"
    action = next((item for item in found if item.title.startswith(wanted)), None)
    if action is None:
        return "nothing\n"
    made = f"--- {Path(action.creates[0]).name}\n{action.creates[1]}" if action.creates else ""
    return applied(case.document.text, action.edits) + made


def _format(case: Case) -> str:
    text = case.document.text
    laid_out = format_workflow(text) if case.document.language == "workflow" else format_template(text)
    return laid_out if laid_out is not None else "left alone\n"


def _calls(case: Case) -> str:
    lines: list[str] = []
    for item in prepare_call_hierarchy(case.document, case.snapshot, case.cursor):
        lines.append(f"{item.kind} {item.name}")
        lines += [f"  called by {caller.name}, {len(at)} times" for caller, at in incoming_calls(item, case.snapshot)]
        lines += [f"  calls {called.name}, {len(at)} times" for called, at in outgoing_calls(item, case.snapshot)]
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


RENDERERS: dict[str, Callable[[Case], str]] = {
    "diagnostics": _diagnostics,
    "hover": _hover,
    "completion": _completion,
    "definition": lambda case: _places(case, definition(case.document, case.snapshot, case.cursor)),
    "typedefinition": lambda case: _places(case, type_definition(case.document, case.snapshot, case.cursor)),
    "references": lambda case: _places(case, references(case.document, case.snapshot, case.cursor)),
    "highlights": lambda case: _places(case, document_highlights(case.document, case.snapshot, case.cursor)),
    "rename": _rename,
    "prepare": _prepare,
    "symbols": _symbols,
    "signature": _signature,
    "hints": _hints,
    "tokens": _tokens,
    "folding": _folding,
    "selection": _selection,
    "linked": _linked,
    "links": _links,
    "lenses": _lenses,
    "action": _actions,
    "format": _format,
    "calls": _calls,
}


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
