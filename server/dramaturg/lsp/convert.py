"""How does plain data of the features become the protocol's types, and positions become offsets?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

import dramaturg
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.completion import Item
from dramaturg.ide.diagnostics import Diagnostic
from dramaturg.ide.hover import Hover
from dramaturg.language.problem import Problem
from dramaturg.text import Encoding, LineIndex, Span

SOURCE = "dramaturg"

#: The page that describes every kind of finding.
FINDINGS = (Path(dramaturg.__file__).parent / "reference" / "findings.md").as_uri()

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information,
    "hint": lsp.DiagnosticSeverity.Hint,
}
_TAGS = {"unnecessary": lsp.DiagnosticTag.Unnecessary, "deprecated": lsp.DiagnosticTag.Deprecated}
_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "function": lsp.CompletionItemKind.Function,
    "variable": lsp.CompletionItemKind.Variable,
    "task": lsp.CompletionItemKind.Event,
    "tool": lsp.CompletionItemKind.Interface,
    "field": lsp.CompletionItemKind.Field,
    "value": lsp.CompletionItemKind.EnumMember,
    "element": lsp.CompletionItemKind.Class,
    "attribute": lsp.CompletionItemKind.Property,
    "file": lsp.CompletionItemKind.File,
}


def encoding_of(kind: lsp.PositionEncodingKind | str) -> Encoding:
    """The encoding that was negotiated."""
    value = kind.value if isinstance(kind, lsp.PositionEncodingKind) else kind
    return {"utf-8": "utf-8", "utf-32": "utf-32"}.get(value, "utf-16")  # type: ignore[return-value]


def path_of(uri: str) -> str:
    """The path of a file's URI; other URIs stand for themselves."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return path or uri


def uri_of(path: str) -> str:
    """The URI of a path."""
    return (uris.from_fs_path(path) or path) if path.startswith("/") or Path(path).is_absolute() else path


def range_of(lines: LineIndex, span: Span, encoding: Encoding) -> lsp.Range:
    """A span as a range."""
    start, end = lines.position(span.start, encoding), lines.position(span.end, encoding)
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def offset_of(document: Document, position: lsp.Position, encoding: Encoding) -> int:
    """A position as an offset."""
    return document.lines.offset(position.line, position.character, encoding)


def diagnostic(item: Diagnostic, document: Document, snapshot: Snapshot, encoding: Encoding) -> lsp.Diagnostic:
    """A finding as a diagnostic, with a link to what the reference says of its kind."""
    problem = item.problem
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri_of(other.path), range_of(other.lines, span, encoding)), message
        )
        for other, span, message in _related(problem, document, snapshot)
    ]
    return lsp.Diagnostic(
        range=range_of(document.lines, problem.span, encoding),
        message=problem.message,
        severity=_SEVERITIES[item.severity],
        code=problem.code,
        code_description=lsp.CodeDescription(f"{FINDINGS}#{problem.code}"),
        source=SOURCE,
        tags=[_TAGS[item.tag]] if item.tag else None,
        related_information=related or None,
        data=dict(problem.data) or None,
    )


def _related(problem: Problem, document: Document, snapshot: Snapshot) -> Iterator[tuple[Document, Span, str]]:
    for place in problem.related:
        other = snapshot.documents.get(place.path) if place.path else document
        if other is not None:
            yield other, place.span, place.message


@dataclass(frozen=True)
class Abilities:
    """What the client can show: snippets, Markdown, documentation that follows, trees of symbols."""

    snippets: bool = False
    markdown_hover: bool = False
    markdown_documentation: bool = False
    resolves_documentation: bool = False
    symbol_trees: bool = False


def abilities(capabilities: lsp.ClientCapabilities) -> Abilities:
    """The client's abilities from what it said of itself."""
    text = capabilities.text_document
    completion = text.completion if text else None
    item = completion.completion_item if completion else None
    hover_formats = text.hover.content_format if text and text.hover else None
    markdown = lsp.MarkupKind.Markdown
    return Abilities(
        bool(item and item.snippet_support),
        markdown in (hover_formats or ()),
        bool(item and markdown in (item.documentation_format or ())),
        bool(item and item.resolve_support and "documentation" in item.resolve_support.properties),
        bool(text and text.document_symbol and text.document_symbol.hierarchical_document_symbol_support),
    )


def plain(markdown: str) -> str:
    """Markdown for a client that shows plain text."""
    lines = [line for line in markdown.splitlines() if not line.startswith("```")]
    return "\n".join(lines).replace("`", "").strip()


def completion_item(
    item: Item, number: int, document: Document, encoding: Encoding, able: Abilities
) -> lsp.CompletionItem:
    """A completion in the order of `number`."""
    is_snippet = item.snippet and able.snippets and "$" in item.insert
    documentation: str | lsp.MarkupContent = plain(item.doc)
    if able.markdown_documentation:
        documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, item.doc)
    text = (item.insert or item.label) if is_snippet or not item.snippet else item.label
    return lsp.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        detail=item.detail or None,
        documentation=documentation if item.doc else None,
        sort_text=f"{number:04d}",
        filter_text=item.label,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(range_of(document.lines, item.span, encoding), text),
    )


def hover(found: Hover, document: Document, encoding: Encoding, able: Abilities) -> lsp.Hover:
    """A hover."""
    kind = lsp.MarkupKind.Markdown if able.markdown_hover else lsp.MarkupKind.PlainText
    text = found.markdown if able.markdown_hover else plain(found.markdown)
    return lsp.Hover(lsp.MarkupContent(kind, text), range_of(document.lines, found.span, encoding))
