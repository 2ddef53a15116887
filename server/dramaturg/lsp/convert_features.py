"""How does plain data of navigation, structure and actions become the protocol's types?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from dramaturg.analysis.references import Location
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.call_hierarchy import CallItem
from dramaturg.ide.code_actions import Action
from dramaturg.ide.inlay_hint import InlayHint
from dramaturg.ide.rename import Edit, Refused
from dramaturg.ide.signature_help import SignatureHelp
from dramaturg.ide.symbols import Symbol
from dramaturg.lsp.convert import range_of, uri_of
from dramaturg.text import Encoding, LineIndex, Span

_SYMBOLS = {
    "function": lsp.SymbolKind.Function,
    "value": lsp.SymbolKind.Variable,
    "task": lsp.SymbolKind.Class,
    "test": lsp.SymbolKind.Method,
    "input": lsp.SymbolKind.Property,
}

#: The protocol's code for a request that is understood and cannot be done (LSP 3.17, LSPErrorCodes).
_REQUEST_FAILED = -32803


@contextmanager
def refusals() -> Iterator[None]:
    """Turns a refusal into the error that clients show to the user."""
    try:
        yield
    except Refused as refusal:
        raise JsonRpcException(str(refusal), _REQUEST_FAILED) from None


def _range_in(path: str, span: Span, snapshot: Snapshot, encoding: Encoding) -> lsp.Range:
    document = snapshot.documents.get(path)
    if document is None:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return range_of(document.lines, span, encoding)


def location(place: Location, snapshot: Snapshot, encoding: Encoding) -> lsp.Location:
    """A place of a file; the beginning of files that are none of ours."""
    return lsp.Location(uri_of(place.path), _range_in(place.path, place.span, snapshot, encoding))


def workspace_edit(edits: list[Edit], snapshot: Snapshot, encoding: Encoding) -> lsp.WorkspaceEdit | None:
    """Edits by file; None where there are none."""
    by_file: dict[str, list[lsp.TextEdit]] = defaultdict(list)
    for edit in edits:
        made = lsp.TextEdit(_range_in(edit.path, edit.span, snapshot, encoding), edit.text)
        by_file[uri_of(edit.path)].append(made)
    return lsp.WorkspaceEdit(changes=dict(by_file)) if by_file else None


def signature(found: SignatureHelp) -> lsp.SignatureHelp:
    """Signature help; offsets of parameters count UTF-16 units, as all of ours are ASCII but names."""
    parameters = [
        lsp.ParameterInformation(_utf16(found.label, item.span), item.doc or None) for item in found.parameters
    ]
    doc = lsp.MarkupContent(lsp.MarkupKind.PlainText, found.doc.replace("`", "")) if found.doc else None
    information = lsp.SignatureInformation(found.label, doc, parameters, found.active)
    return lsp.SignatureHelp([information], 0, found.active)


def _utf16(text: str, span: Span) -> tuple[int, int]:
    return tuple(len(text[:offset].encode("utf-16-le")) // 2 for offset in span)  # type: ignore[return-value]


def call_item(item: CallItem, snapshot: Snapshot, encoding: Encoding) -> lsp.CallHierarchyItem:
    """A caller or a callee."""
    return lsp.CallHierarchyItem(
        item.name,
        _SYMBOLS.get(item.kind, lsp.SymbolKind.File),
        uri_of(item.path),
        _range_in(item.path, item.span, snapshot, encoding),
        _range_in(item.path, item.name_span, snapshot, encoding),
        detail=Path(item.path).name,
    )


def calls(
    found: list[tuple[CallItem, list[Span]]], snapshot: Snapshot, encoding: Encoding
) -> list[tuple[lsp.CallHierarchyItem, list[lsp.Range]]]:
    """Callers with the places of their calls, which lie in their own files."""
    return [
        (call_item(item, snapshot, encoding), [_range_in(item.path, span, snapshot, encoding) for span in spans])
        for item, spans in found
    ]


def symbol(item: Symbol, lines: LineIndex, encoding: Encoding) -> lsp.DocumentSymbol:
    """A symbol with its children."""
    return lsp.DocumentSymbol(
        item.name or "(no name)",
        _SYMBOLS[item.kind],
        range_of(lines, item.span, encoding),
        range_of(lines, item.name_span, encoding),
        detail=item.detail or None,
        children=[symbol(child, lines, encoding) for child in item.children] or None,
    )


def flat_symbol(document: Document, item: Symbol, encoding: Encoding) -> lsp.SymbolInformation:
    """A symbol with its file."""
    place = lsp.Location(uri_of(document.path), range_of(document.lines, item.name_span, encoding))
    return lsp.SymbolInformation(place, item.name, _SYMBOLS[item.kind], container_name=Path(document.path).name)


def inlay_hint(item: InlayHint, document: Document, encoding: Encoding) -> lsp.InlayHint:
    """A hint inside of a line."""
    kind = {"inputs": lsp.InlayHintKind.Parameter, "results": lsp.InlayHintKind.Type}.get(item.kind)
    position = lsp.Position(*document.lines.position(item.offset, encoding))
    before = item.kind == "tokens"
    return lsp.InlayHint(
        position,
        item.label,
        kind,
        tooltip=item.tooltip or None,
        padding_left=before,
        padding_right=item.kind == "inputs",
    )


def code_action(item: Action, document: Document, encoding: Encoding) -> lsp.CodeAction:
    """A code action; a new file comes with its text."""
    edits = [lsp.TextEdit(range_of(document.lines, edit.span, encoding), edit.text) for edit in item.edits]
    changes: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
    if item.creates is not None:
        path, text = item.creates
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        new = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(path))
        changes = [
            lsp.CreateFile(uri_of(path), options=lsp.CreateFileOptions(ignore_if_exists=True)),
            lsp.TextDocumentEdit(new, [lsp.TextEdit(start, text)]),
        ]
        if edits:
            own = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(document.path))
            changes.append(lsp.TextDocumentEdit(own, list(edits)))
        edit = lsp.WorkspaceEdit(document_changes=changes)
    else:
        edit = lsp.WorkspaceEdit(changes={uri_of(document.path): edits})
    return lsp.CodeAction(item.title, lsp.CodeActionKind(item.kind), is_preferred=item.preferred or None, edit=edit)
