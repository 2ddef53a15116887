"""The real server over standard input and output, through a real client library."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls import uris
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from workspace import make_repository

SERVER = [sys.executable, "-m", "dramaturg", "lsp"]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "bug-hunt")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), params=["visual-studio-code", "neovim", "emacs"])
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, example: Path) -> AsyncIterator[None]:
    """A client of each kind on a copy of the example that the user trusts."""
    for method in (lsp.CLIENT_REGISTER_CAPABILITY, lsp.WORKSPACE_DIAGNOSTIC_REFRESH):
        if method not in lsp_client.protocol.fm.features:
            lsp_client.feature(method)(lambda *params: None)
    folder = lsp.WorkspaceFolder(example.as_uri(), "bug-hunt")
    started = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[folder],
            initialization_options={"trusted": True, "runEvents": True},
        )
    )
    lsp_client.encoding = started.capabilities.position_encoding  # type: ignore[attr-defined]
    text = client_capabilities(request.param).text_document
    lsp_client.pulls = text is not None and text.diagnostic is not None  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, uri: str, language: str, text: str) -> list[lsp.Diagnostic]:
    """Opens a document and waits for what is wrong with it."""
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text)))
    return await findings(client, uri, lambda found: True)


async def findings(
    client: LanguageClient, uri: str, until: Callable[[list[lsp.Diagnostic]], bool]
) -> list[lsp.Diagnostic]:
    """What is wrong with a document, pulled or pushed as the client has it, once it is as expected."""
    while client.pulls:  # type: ignore[attr-defined]
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        report = await client.text_document_diagnostic_async(params)
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        assert uri not in client.diagnostics, "pulled and pushed"
        if until(list(report.items)):
            return list(report.items)
    while uri not in client.diagnostics or not until(list(client.diagnostics[uri])):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def codes(found: list[lsp.Diagnostic]) -> list[object]:
    return [item.code for item in found]


async def execute(client: LanguageClient, command: str, *arguments: Any) -> Any:
    """A command's result as plain data."""
    result = await client.workspace_execute_command_async(lsp.ExecuteCommandParams(command, list(arguments)))
    return plain(result)


def plain(value: Any) -> Any:
    """What the client library makes of JSON objects, as dictionaries again."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


async def test_a_document_is_checked_as_it_is_typed(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    found = await opened(client, uri, "dramaturg-workflow", '(list "😀é" missing)\n(plan-fix (reprot "x"))\n')
    assert [item.code for item in found] == ["unbound-name", "missing-input", "unknown-input"]
    column = {"utf-8": 15, "utf-16": 12, "utf-32": 11}[client.encoding]  # type: ignore[attr-defined]
    assert found[0].range.start.character == column
    edit = lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(1, 11), lsp.Position(1, 17)), "report")
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, uri), [edit])
    )
    left = await findings(client, uri, lambda found: len(found) == 1)
    assert codes(left) == ["unbound-name"]
    assert left[0].code_description is not None
    assert Path(uris.to_fs_path(left[0].code_description.href.partition("#")[0]) or "").is_file()


async def test_no_task_seems_unknown_before_the_files_are_read(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    assert await opened(client, uri, "dramaturg-workflow", '(plan-fix (report "x"))') == []


async def test_hover_and_completion_in_both_languages(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    await opened(client, uri, "dramaturg-workflow", "(plan-fix (")
    document = lsp.TextDocumentIdentifier(uri)
    hover = await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(0, 3)))
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    markdown = hover.contents.kind == lsp.MarkupKind.Markdown
    assert ("```" in hover.contents.value) == markdown
    assert "Drafts a plan for fixing a reported bug" in hover.contents.value
    found = await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(0, 11)))
    assert isinstance(found, lsp.CompletionList)
    assert found.items[0].label == "report"
    task = (example / "tasks" / "plan-fix.task.xml").as_uri()
    text = (example / "tasks" / "plan-fix.task.xml").read_text(encoding="utf-8")
    assert await opened(client, task, "dramaturg-task", text) == []
    line = next(number for number, content in enumerate(text.splitlines()) if "{{report}}" in content)
    where = lsp.HoverParams(lsp.TextDocumentIdentifier(task), lsp.Position(line, 8))
    shown = await client.text_document_hover_async(where)
    assert shown is not None
    assert isinstance(shown.contents, lsp.MarkupContent)
    assert "The bug report, as its author wrote it" in shown.contents.value


async def test_a_workflow_is_laid_out(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    await opened(client, uri, "dramaturg-workflow", "(if true\n1\n2)")
    options = lsp.FormattingOptions(2, True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(lsp.TextDocumentIdentifier(uri), options)
    )
    assert [edit.new_text for edit in edits or []] == ["    1\n    2)\n"]


async def test_an_unsaved_template_counts(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    task = (example / "tasks" / "new.task.xml").as_uri()
    assert [item.code for item in await opened(client, uri, "dramaturg-workflow", '(brand-new (x "1"))')] == [
        "unknown-task"
    ]
    text = (
        '<task name="brand-new" type="atomic"><description>d</description><instructions>{{x}}</instructions>'
        '<inputs><input name="x"/></inputs></task>'
    )
    await opened(client, task, "dramaturg-task", text)
    assert await findings(client, uri, lambda found: not found) == []


async def test_a_workflow_runs_and_is_seen_running(client: LanguageClient, example: Path) -> None:
    heard: list[Any] = []
    client.feature("dramaturg/runEvent")(lambda params: heard.append(plain(params)))
    uri = (example / "find-and-plan.wf").as_uri()
    result = await execute(client, "dramaturg.runWorkflow", {"uri": uri, "replay": ["recordings/find-and-plan.jsonl"]})
    assert result["status"] == "COMPLETE"
    assert result["content"].startswith("Cause: ")
    assert {"RunStarted", "TaskStarted", "TokenDelta", "TaskFinished", "RunFinished"} <= {
        item["event"] for item in heard
    }


async def test_missing_inputs_are_asked_for_and_the_editors_models_answer(
    client: LanguageClient, example: Path
) -> None:
    asked: list[Any] = []

    def ask_input(params: Any) -> str:
        asked.append(plain(params))
        return "it is broken"

    def complete(params: Any) -> dict[str, Any]:
        asked.append(plain(params))
        return {
            "content": '{"cause": "c", "steps": [{"file": "a.py", "change": "b"}]}',
            "usage": {"input_tokens": 3, "output_tokens": 2},
        }

    client.feature("dramaturg/askInput")(ask_input)
    client.feature("dramaturg/complete")(complete)
    settings = {"settings": {"dramaturg": {"askInput": True, "complete": True}}}
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(**settings))
    result = await execute(client, "dramaturg.runTask", {"name": "plan-fix"})
    assert result["status"] == "COMPLETE", result
    assert result["notes"]["provider"] == "editor"
    assert asked[0]["input"] == "report"
    assert "it is broken" in str(asked[1]["messages"])


async def test_runs_are_listed_shown_and_compared(client: LanguageClient, example: Path) -> None:
    uri = (example / "find-and-plan.wf").as_uri()
    for _ in range(2):
        await execute(client, "dramaturg.runWorkflow", {"uri": uri, "replay": ["recordings/find-and-plan.jsonl"]})
    listed = await execute(client, "dramaturg.listRuns", {"limit": 5})
    assert [row["name"] for row in listed] == ["find-and-plan.wf"] * 2
    shown = await execute(client, "dramaturg.showRun", {"run": listed[0]["id"]})
    assert "plan-fix" in str(shown["steps"])
    assert Path(uris.to_fs_path(shown["page"]) or "").read_text(encoding="utf-8").startswith("<!doctype html>")
    pair = {"left": listed[0]["id"], "right": listed[1]["id"]}
    assert (await execute(client, "dramaturg.diffRuns", pair))["differences"] == []
    assert (await execute(client, "dramaturg.showRun", "nobody"))["error"]


async def test_one_form_runs_with_the_definitions_before_it(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    await opened(
        client, uri, "dramaturg-workflow", '(define x 20)\n(error "not this one")\n(+ x 1)\n(error "nor this")\n'
    )
    chosen = {"start": {"line": 2, "character": 1}, "end": {"line": 2, "character": 1}}
    result = await execute(client, "dramaturg.runWorkflow", {"uri": uri, "range": chosen})
    assert result["content"] == "21"


async def test_tasks_and_matches(client: LanguageClient, example: Path) -> None:
    missing = await execute(client, "dramaturg.runTask", {"name": "plan-fix"})
    assert missing["notes"]["error"]["reason"] == "input_validation_failure"
    assert "`plan-fix` needs the input `report`" in missing["content"]
    report = await execute(client, "dramaturg.indexWorkspace")
    assert (report["files"], report["cancelled"]) == (7, False)
    assert (await execute(client, "dramaturg.indexStatus"))["files"] == 7
    found = await execute(client, "dramaturg.contextMatches", {"query": "check digit", "limit": 2})
    assert found["matches"][0]["path"] == str(example / "shelf" / "isbn.py")
    assert found["matches"][0]["range"]["start"]["line"] < 20
    preview = await execute(client, "dramaturg.previewTask", {"name": "plan-fix", "inputs": {"report": "r"}})
    assert preview["tokens"] > 10
    assert [task["name"] for task in await execute(client, "dramaturg.listTasks")] == [
        "judge-run",
        "plan-fix",
        "propose-edit",
    ]


async def test_a_run_is_cancelled_by_its_request_and_by_command(client: LanguageClient, example: Path) -> None:
    uri = (example / "slow.wf").as_uri()
    await opened(client, uri, "dramaturg-workflow", '(system:run_script (command "sleep 30"))')
    running = asyncio.ensure_future(execute(client, "dramaturg.runWorkflow", {"uri": uri}))
    while not await execute(client, "dramaturg.cancelRun"):  # noqa: ASYNC110
        await asyncio.sleep(0.05)  # until the run has begun
    result = await asyncio.wait_for(running, 10)
    assert (result["status"], result["content"]) == ("FAILED", "cancelled")


async def test_progress_is_shown_and_its_cancel_ends_the_run(client: LanguageClient, example: Path) -> None:
    uri = (example / "slow.wf").as_uri()
    await opened(client, uri, "dramaturg-workflow", '(log-message "begun") (system:run_script (command "sleep 30"))')
    request = lsp.ExecuteCommandParams("dramaturg.runWorkflow", [{"uri": uri}], work_done_token="mine")
    running = asyncio.ensure_future(client.workspace_execute_command_async(request))
    while not client.progress_reports.get("mine"):
        await client.wait_for_notification(lsp.PROGRESS)
    begun = client.progress_reports["mine"][0]
    assert (begun.title, begun.cancellable) == ("Running slow.wf", True)
    client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams("mine"))
    result = plain(await asyncio.wait_for(running, 10))
    assert result["content"] == "cancelled"


async def test_indexing_shows_its_progress(client: LanguageClient) -> None:
    request = lsp.ExecuteCommandParams("dramaturg.indexWorkspace", [], work_done_token="index")
    report = plain(await client.workspace_execute_command_async(request))
    assert (report["files"], report["cancelled"]) == (7, False)
    kinds = [type(item).__name__ for item in client.progress_reports["index"]]
    assert (kinds[0], kinds[-1]) == ("WorkDoneProgressBegin", "WorkDoneProgressEnd")


async def test_an_input_is_renamed_in_both_languages_and_in_files_that_are_not_open(
    client: LanguageClient, example: Path
) -> None:
    task = example / "tasks" / "plan-fix.task.xml"
    text = task.read_text(encoding="utf-8")
    uri = task.as_uri()
    await opened(client, uri, "dramaturg-task", text)
    line = next(number for number, content in enumerate(text.splitlines()) if "{{report}}" in content)
    column = text.splitlines()[line].index("{{report") + 3
    where, document = lsp.Position(line, column), lsp.TextDocumentIdentifier(uri)
    assert await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, where)) is not None
    made = await client.text_document_rename_async(lsp.RenameParams(document, where, "bug"))
    assert made is not None
    assert made.changes is not None
    assert {Path(uris.to_fs_path(name) or "").name for name in made.changes} == {
        "plan-fix.task.xml",
        "find-and-plan.wf",
    }
    with pytest.raises(Exception, match="setting of every call"):
        await client.text_document_rename_async(lsp.RenameParams(document, where, "model"))
    found = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document, where)
    )
    assert len(found or []) == sum(len(edits) for edits in made.changes.values())


async def test_a_file_is_seen_through_every_feature(client: LanguageClient, example: Path) -> None:
    path = example / "find-and-plan.wf"
    uri = path.as_uri()
    text = path.read_text(encoding="utf-8")
    await opened(client, uri, "dramaturg-workflow", text)
    document = lsp.TextDocumentIdentifier(uri)
    line = next(number for number, content in enumerate(text.splitlines()) if "(plan-fix" in content)
    where = lsp.Position(line, text.splitlines()[line].index("(plan-fix") + 2)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(text.splitlines()), 0))
    places = await client.text_document_definition_async(lsp.DefinitionParams(document, where))
    assert isinstance(places, list)
    assert [Path(uris.to_fs_path(item.uri) or "").name for item in places] == ["plan-fix.task.xml"]
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document))
    assert tokens is not None
    assert len(tokens.data) % 5 == 0
    delta = await client.text_document_semantic_tokens_full_delta_async(
        lsp.SemanticTokensDeltaParams(document, tokens.result_id or "")
    )
    assert isinstance(delta, lsp.SemanticTokensDelta)
    assert not delta.edits
    part = await client.text_document_semantic_tokens_range_async(lsp.SemanticTokensRangeParams(document, whole))
    assert part is not None
    assert list(part.data) == list(tokens.data)
    assert await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole)) is not None
    assert await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    assert await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    ranges = await client.text_document_selection_range_async(lsp.SelectionRangeParams(document, [where]))
    assert ranges
    assert ranges[0].parent is not None
    help_ = await client.text_document_signature_help_async(lsp.SignatureHelpParams(document, where))
    assert help_ is not None
    context = lsp.CodeActionContext([])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, lsp.Range(where, where), context)
    )
    assert any("`try`" in item.title for item in actions or [])
    items = await client.text_document_prepare_call_hierarchy_async(lsp.CallHierarchyPrepareParams(document, where))
    assert items
    callers = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(items[0]))
    assert callers
    named = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("planfix"))
    assert [item.name for item in named or []] == ["plan-fix"]


async def test_files_and_settings_that_change_on_disk_are_seen(client: LanguageClient, example: Path) -> None:
    uri = (example / "new.wf").as_uri()
    assert codes(await opened(client, uri, "dramaturg-workflow", '(made-elsewhere (x "1")) (let ((x 1)) 2)')) == [
        "unknown-task",
        "unused-binding",
    ]
    new = example / "made.task.xml"
    new.write_text(
        '<task name="made-elsewhere" type="atomic"><description>d</description><instructions>{{x}}</instructions>'
        '<inputs><input name="x"/></inputs></task>'
    )
    settings = example / "dramaturg.toml"
    settings.write_text('[severities]\nunused-binding = "off"\n')
    events = [lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Changed) for path in (new, settings)]
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))
    assert await findings(client, uri, lambda found: not found) == []


async def test_a_loaded_file_that_is_renamed_is_still_loaded(client: LanguageClient, example: Path) -> None:
    (example / "lib.wf").write_text("(define x 1)\n")
    uri = (example / "new.wf").as_uri()
    client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([lsp.FileEvent((example / "lib.wf").as_uri(), lsp.FileChangeType.Created)])
    )
    assert await opened(client, uri, "dramaturg-workflow", '(load "lib.wf")\nx\n') == []
    renamed = [lsp.FileRename((example / "lib.wf").as_uri(), (example / "parts" / "base.wf").as_uri())]
    edit = await client.workspace_will_rename_files_async(lsp.RenameFilesParams(renamed))
    assert edit is not None
    assert edit.changes is not None
    assert [item.new_text for item in edit.changes[uri]] == ["parts/base.wf"]


async def test_the_whole_workspace_is_diagnosed_in_parts(client: LanguageClient, example: Path) -> None:
    (example / "broken.wf").write_text("(missing-task-here (x 1))\n")
    changed = lsp.FileEvent((example / "broken.wf").as_uri(), lsp.FileChangeType.Created)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([changed]))
    report = await client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams([]))
    found = {Path(uris.to_fs_path(item.uri) or "").name: item for item in report.items}
    broken = found["broken.wf"]
    assert isinstance(broken, lsp.WorkspaceFullDocumentDiagnosticReport)
    assert codes(list(broken.items)) == ["unknown-task"]
    again = await client.workspace_diagnostic_async(
        lsp.WorkspaceDiagnosticParams([lsp.PreviousResultId(item.uri, item.result_id or "") for item in report.items])
    )
    assert {type(item).__name__ for item in again.items} == {"WorkspaceUnchangedDocumentDiagnosticReport"}


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("dramaturg.runTask", []),
        ("dramaturg.runTask", [None]),
        ("dramaturg.runTask", [{"name": 5}]),
        ("dramaturg.runTask", [{"name": "nobody"}]),
        ("dramaturg.runWorkflow", [{"uri": "file:///none.wf"}]),
        ("dramaturg.contextMatches", [{}]),
        ("dramaturg.previewTask", [{"name": "nobody"}]),
        ("dramaturg.previewTask", [{"name": "plan-fix", "inputs": 5}]),
        ("dramaturg.runTask", [{"name": "plan-fix", "inputs": {"report": "r"}, "model": 5}]),
        ("dramaturg.runTask", [{"name": "plan-fix", "inputs": {"report": "r"}, "files": "x", "context": 3}]),
    ],
)
async def test_bad_arguments_are_answered(client: LanguageClient, command: str, arguments: list[Any]) -> None:
    result = await execute(client, command, *arguments)
    assert result.get("status") == "FAILED" or result.get("error")


async def test_an_unknown_command_is_an_error(client: LanguageClient) -> None:
    with pytest.raises(Exception, match="no command"):
        await execute(client, "dramaturg.nothing")
