"""The real server over standard input and output, through a real client library."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from workspace import make_repository

SERVER = [sys.executable, "-m", "dramaturg", "lsp"]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "bug-hunt")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER), params=["visual-studio-code", "neovim", "emacs"])
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, example: Path) -> AsyncIterator[None]:
    """A client of each kind on a copy of the example that the user trusts."""
    folder = lsp.WorkspaceFolder(example.as_uri(), "bug-hunt")
    started = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[folder],
            initialization_options={"trusted": True, "runEvents": True},
        )
    )
    lsp_client.encoding = started.capabilities.position_encoding  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, uri: str, language: str, text: str) -> list[lsp.Diagnostic]:
    """Opens a document and waits for what is wrong with it."""
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text)))
    while uri not in client.diagnostics:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


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
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [item.code for item in client.diagnostics[uri]] == ["unbound-name"]


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
    assert [edit.new_text for edit in edits or []] == ["(if true\n    1\n    2)\n"]


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
    while client.diagnostics[uri]:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[uri]


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
