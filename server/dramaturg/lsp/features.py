"""Which request is answered by which feature? A handler converts, asks one pure function, converts back."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types as lsp

from dramaturg.analysis.references import Location
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide import rename as renaming
from dramaturg.ide.call_hierarchy import CallItem, incoming_calls, outgoing_calls, prepare_call_hierarchy
from dramaturg.ide.code_actions import code_actions
from dramaturg.ide.code_lens import code_lenses
from dramaturg.ide.completion import completions, fitting
from dramaturg.ide.definition import definition, type_definition
from dramaturg.ide.document_link import document_links
from dramaturg.ide.file_rename import file_renames
from dramaturg.ide.formatting import formatting, on_type_formatting, range_formatting
from dramaturg.ide.hover import hover
from dramaturg.ide.inlay_hint import KINDS, inlay_hints
from dramaturg.ide.references import document_highlights, references
from dramaturg.ide.semantic_tokens import MODIFIERS, TYPES, semantic_tokens
from dramaturg.ide.signature_help import signature_help
from dramaturg.ide.structure import folding_ranges, linked_editing_ranges, selection_ranges
from dramaturg.ide.symbols import document_symbols, workspace_symbols
from dramaturg.lsp import convert, convert_features
from dramaturg.lsp.server import DramaturgServer
from dramaturg.text import Encoding, Span

LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
_FILES = lsp.FileOperationRegistrationOptions(
    [lsp.FileOperationFilter(lsp.FileOperationPattern("**/*.{wf,json,xml}"), "file")]
)


@dataclass(frozen=True)
class Asked:
    """A request's document, and the snapshot and encoding that it is answered with."""

    document: Document
    snapshot: Snapshot
    encoding: Encoding

    def offset(self, position: lsp.Position) -> int:
        """A position as an offset."""
        return convert.offset_of(self.document, position, self.encoding)

    def span(self, range_: lsp.Range) -> Span:
        """A range as a span."""
        return Span(self.offset(range_.start), self.offset(range_.end))

    def range(self, span: Span) -> lsp.Range:
        """A span as a range."""
        return convert.range_of(self.document.lines, span, self.encoding)

    def location(self, place: Location) -> lsp.Location:
        """A place of any file of the workspace."""
        return convert_features.location(place, self.snapshot, self.encoding)


def ask(server: DramaturgServer, document: lsp.TextDocumentIdentifier) -> Asked | None:
    """What a request about a document is answered with; None where the document is none of ours."""
    found = server.state.document(convert.path_of(document.uri))
    return Asked(found, server.state.snapshot(), server.encoding) if found is not None else None


def register(server: DramaturgServer) -> None:
    """Registers every language feature."""
    feature = server.feature
    feature(lsp.TEXT_DOCUMENT_HOVER)(on_hover)
    triggers = ["(", "{", "<", '"', " ", "'"]
    feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(triggers, resolve_provider=True))(on_completion)
    feature(lsp.COMPLETION_ITEM_RESOLVE)(on_completion_resolve)
    feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions([" ", "("], [" "]))(on_signature_help)
    feature(lsp.TEXT_DOCUMENT_DEFINITION)(on_definition)
    feature(lsp.TEXT_DOCUMENT_TYPE_DEFINITION)(on_type_definition)
    feature(lsp.TEXT_DOCUMENT_REFERENCES)(on_references)
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(on_document_highlight)
    feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)(on_prepare_rename)
    feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))(on_rename)
    feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(on_prepare_call_hierarchy)
    feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)(on_incoming_calls)
    feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)(on_outgoing_calls)
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(on_document_symbol)
    feature(lsp.WORKSPACE_SYMBOL)(on_workspace_symbol)
    feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)(on_folding_range)
    feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)(on_selection_range)
    feature(lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE)(on_linked_editing_range)
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions())(on_document_link)
    feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(on_inlay_hint)
    feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())(on_code_lens)
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor, lsp.CodeActionKind.SourceFixAll]
    feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))(on_code_action)
    feature(lsp.TEXT_DOCUMENT_FORMATTING)(on_formatting)
    feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)(on_range_formatting)
    on_type = lsp.DocumentOnTypeFormattingOptions("\n")
    feature(lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING, on_type)(on_on_type_formatting)
    feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(on_semantic_tokens)
    feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, LEGEND)(on_semantic_tokens_delta)
    feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)(on_semantic_tokens_range)
    feature(lsp.WORKSPACE_WILL_RENAME_FILES, _FILES)(on_will_rename_files)


def on_hover(server: DramaturgServer, params: lsp.HoverParams) -> lsp.Hover | None:
    """Hover."""
    asked = ask(server, params.text_document)
    found = hover(asked.document, asked.snapshot, asked.offset(params.position)) if asked else None
    if asked is None or found is None:
        return None
    return convert.hover(found, asked.document, asked.encoding, convert.abilities(server.client_capabilities))


def on_completion(server: DramaturgServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    """Completion; documentation follows when an item is looked at, for clients that resolve it."""
    asked = ask(server, params.text_document)
    if asked is None:
        return lsp.CompletionList(False, [])
    found = completions(asked.document, asked.snapshot, asked.offset(params.position))
    items = fitting(found, asked.document)
    able = convert.abilities(server.client_capabilities)
    made = [convert.completion_item(item, n, asked.document, asked.encoding, able) for n, item in enumerate(items)]
    if able.resolves_documentation:
        server.state.offered = {item.label: item.documentation for item in made}
        for item in made:
            item.documentation = None
    return lsp.CompletionList(len(items) < len(found), made)


def on_completion_resolve(server: DramaturgServer, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """The item with its documentation, from the last list that was offered."""
    item.documentation = server.state.offered.get(item.label, item.documentation)
    return item


def on_signature_help(server: DramaturgServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """Signature help."""
    asked = ask(server, params.text_document)
    found = signature_help(asked.document, asked.snapshot, asked.offset(params.position)) if asked else None
    return convert_features.signature(found) if found is not None else None


def on_definition(server: DramaturgServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Definition."""
    asked = ask(server, params.text_document)
    found = definition(asked.document, asked.snapshot, asked.offset(params.position)) if asked else []
    return [asked.location(place) for place in found] if asked else []


def on_type_definition(server: DramaturgServer, params: lsp.TypeDefinitionParams) -> list[lsp.Location]:
    """Type definition: the output schema of a task."""
    asked = ask(server, params.text_document)
    found = type_definition(asked.document, asked.snapshot, asked.offset(params.position)) if asked else []
    return [asked.location(place) for place in found] if asked else []


def on_references(server: DramaturgServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """References, with or without definitions as the client asks."""
    asked = ask(server, params.text_document)
    found = references(asked.document, asked.snapshot, asked.offset(params.position)) if asked else []
    wanted = [item for item in found if item.role != "definition" or params.context.include_declaration]
    return [asked.location(place) for place in wanted] if asked else []


def on_document_highlight(server: DramaturgServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    """Highlights of a name in its file."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    kinds = {"reference": lsp.DocumentHighlightKind.Read}
    found = document_highlights(asked.document, asked.snapshot, asked.offset(params.position))
    write = lsp.DocumentHighlightKind.Write
    return [lsp.DocumentHighlight(asked.range(item.span), kinds.get(item.role, write)) for item in found]


def on_prepare_rename(server: DramaturgServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """The name that can be renamed; a refusal says why there is none."""
    asked = ask(server, params.text_document)
    if asked is None:
        return None
    with convert_features.refusals():
        return asked.range(renaming.prepare_rename(asked.document, asked.snapshot, asked.offset(params.position)))


def on_rename(server: DramaturgServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """The edits of a renaming, in files that are not open too."""
    asked = ask(server, params.text_document)
    if asked is None:
        return None
    with convert_features.refusals():
        edits = renaming.rename(asked.document, asked.snapshot, asked.offset(params.position), params.new_name)
    return convert_features.workspace_edit(edits, asked.snapshot, asked.encoding)


def on_prepare_call_hierarchy(
    server: DramaturgServer, params: lsp.CallHierarchyPrepareParams
) -> list[lsp.CallHierarchyItem]:
    """The function or task whose calls are asked for."""
    asked = ask(server, params.text_document)
    found = prepare_call_hierarchy(asked.document, asked.snapshot, asked.offset(params.position)) if asked else []
    return [convert_features.call_item(item, asked.snapshot, asked.encoding) for item in found] if asked else []


def _call(server: DramaturgServer, item: lsp.CallHierarchyItem) -> tuple[CallItem, Asked] | None:
    asked = ask(server, lsp.TextDocumentIdentifier(item.uri))
    if asked is None:
        return None
    spans = (asked.span(item.range), asked.span(item.selection_range))
    return CallItem(item.name, "", asked.document.path, *spans), asked


def on_incoming_calls(
    server: DramaturgServer, params: lsp.CallHierarchyIncomingCallsParams
) -> list[lsp.CallHierarchyIncomingCall]:
    """Who calls."""
    found = _call(server, params.item)
    if found is None:
        return []
    item, asked = found
    made = convert_features.calls(incoming_calls(item, asked.snapshot), asked.snapshot, asked.encoding)
    return [lsp.CallHierarchyIncomingCall(caller, ranges) for caller, ranges in made]


def on_outgoing_calls(
    server: DramaturgServer, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall]:
    """What is called."""
    found = _call(server, params.item)
    if found is None:
        return []
    item, asked = found
    called = outgoing_calls(item, asked.snapshot)
    made = [convert_features.call_item(target, asked.snapshot, asked.encoding) for target, _ in called]
    ranges = [[asked.range(span) for span in spans] for _, spans in called]
    return [lsp.CallHierarchyOutgoingCall(target, at) for target, at in zip(made, ranges, strict=True)]


def on_document_symbol(
    server: DramaturgServer, params: lsp.DocumentSymbolParams
) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """Symbols of a file, as a tree for clients that show one."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    found = document_symbols(asked.document)
    if convert.abilities(server.client_capabilities).symbol_trees:
        return [convert_features.symbol(item, asked.document.lines, asked.encoding) for item in found]
    return [convert_features.flat_symbol(asked.document, item, asked.encoding) for item in found]


def on_workspace_symbol(server: DramaturgServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    """Symbols of the workspace."""
    found = workspace_symbols(server.state.snapshot(), params.query)
    return [convert_features.flat_symbol(document, item, server.encoding) for document, item in found]


def on_folding_range(server: DramaturgServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """Parts that can be folded."""
    asked = ask(server, params.text_document)
    found = folding_ranges(asked.document) if asked else []
    return [lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind(kind)) for first, last, kind in found]


def on_selection_range(server: DramaturgServer, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    """What selections grow to."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    made: list[lsp.SelectionRange] = []
    for position in params.positions:
        parent: lsp.SelectionRange | None = None
        for span in reversed(selection_ranges(asked.document, asked.offset(position))):
            parent = lsp.SelectionRange(asked.range(span), parent)
        made.append(parent or lsp.SelectionRange(lsp.Range(position, position)))
    return made


def on_linked_editing_range(
    server: DramaturgServer, params: lsp.LinkedEditingRangeParams
) -> lsp.LinkedEditingRanges | None:
    """Two tags that are edited as one."""
    asked = ask(server, params.text_document)
    found = linked_editing_ranges(asked.document, asked.offset(params.position)) if asked else []
    return lsp.LinkedEditingRanges([asked.range(span) for span in found]) if asked and found else None


def on_document_link(server: DramaturgServer, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    """Paths that can be followed."""
    asked = ask(server, params.text_document)
    found = document_links(asked.document, asked.snapshot) if asked else []
    return [lsp.DocumentLink(asked.range(span), convert.uri_of(path)) for span, path in found] if asked else []


def on_inlay_hint(server: DramaturgServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Hints inside of lines, those that the client's options leave on (`inlayHints: {inputs: false}`)."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    options = server.state.options.get("inlayHints")
    off = {kind for kind in KINDS if isinstance(options, dict) and options.get(kind) is False}
    wanted = tuple(kind for kind in KINDS if kind not in off)
    found = inlay_hints(asked.document, asked.snapshot, asked.span(params.range), wanted)
    return [convert_features.inlay_hint(item, asked.document, asked.encoding) for item in found]


def on_code_lens(server: DramaturgServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """What can be run above a form."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    found = code_lenses(asked.document, params.text_document.uri)
    client = server.state.options.get("lensCommands")
    names = client if isinstance(client, dict) else {}
    return [
        lsp.CodeLens(
            asked.range(item.span),
            lsp.Command(item.title, str(names.get(item.command, item.command)), None, [item.argument]),
        )
        for item in found
    ]


def on_code_action(server: DramaturgServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Fixes and refactorings, of the kinds that the client asks for."""
    asked = ask(server, params.text_document)
    if asked is None:
        return []
    found = code_actions(asked.document, asked.snapshot, asked.span(params.range))
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    wanted = [item for item in found if not only or any(f"{item.kind}.".startswith(f"{kind}.") for kind in only)]
    return [convert_features.code_action(item, asked.document, asked.encoding) for item in wanted]


def on_formatting(server: DramaturgServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Formatting; text with syntax errors is left alone."""
    asked = ask(server, params.text_document)
    return [lsp.TextEdit(asked.range(item.span), item.text) for item in formatting(asked.document)] if asked else []


def on_range_formatting(server: DramaturgServer, params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
    """Formatting of a part."""
    asked = ask(server, params.text_document)
    found = range_formatting(asked.document, asked.span(params.range)) if asked else []
    return [lsp.TextEdit(asked.range(item.span), item.text) for item in found] if asked else []


def on_on_type_formatting(server: DramaturgServer, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit]:
    """The indentation of a new line."""
    asked = ask(server, params.text_document)
    found = on_type_formatting(asked.document, asked.offset(params.position)) if asked else []
    return [lsp.TextEdit(asked.range(item.span), item.text) for item in found] if asked else []


def on_semantic_tokens(server: DramaturgServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """The kinds of a file's names."""
    asked = ask(server, params.text_document)
    data = semantic_tokens(asked.document, asked.snapshot, asked.encoding) if asked else []
    return server.state.tokens.full(params.text_document.uri, data)


def on_semantic_tokens_delta(
    server: DramaturgServer, params: lsp.SemanticTokensDeltaParams
) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
    """What changed in the kinds of a file's names."""
    asked = ask(server, params.text_document)
    data = semantic_tokens(asked.document, asked.snapshot, asked.encoding) if asked else []
    return server.state.tokens.delta(params.text_document.uri, params.previous_result_id, data)


def on_semantic_tokens_range(server: DramaturgServer, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    """The kinds of the names in a part of a file."""
    asked = ask(server, params.text_document)
    part = asked.span(params.range) if asked else None
    return lsp.SemanticTokens(semantic_tokens(asked.document, asked.snapshot, asked.encoding, part) if asked else [])


def on_will_rename_files(server: DramaturgServer, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
    """The edits that keep paths leading to files that get new names."""
    renamed = {convert.path_of(item.old_uri): convert.path_of(item.new_uri) for item in params.files}
    snapshot = server.state.snapshot()
    return convert_features.workspace_edit(file_renames(snapshot, renamed), snapshot, server.encoding)
