"""What do `dramaturg tasks` and `dramaturg preview` show?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from dramaturg.analysis.snapshot import Document, language_of
from dramaturg.cli.check import read_or_none, read_source, workspace_documents
from dramaturg.cli.output import DONE, FOUND, cannot, err, out, parse_inputs, print_json, warn_of, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.handler.base_handler import request_tokens
from dramaturg.engine.session import Session
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.ide.task_at import TaskAt, task_at
from dramaturg.workspace import snapshot_of


def _session(root: Path | None) -> Session:
    found, loaded = workspace(root)
    session = Session(found, loaded.settings)
    session.load_templates()
    warn_of(session.load_problems)
    return session


def show_tasks(root: Path | None, as_json: bool) -> int:
    """Every task with its file, inputs and model."""
    session = _session(root)
    found = sorted(session.task_system.library, key=lambda item: item.name)
    if as_json:
        print_json([_json(item, session) for item in found])
        return DONE
    if not found:
        out.print("no tasks: a task template is a file named `*.task.xml`")
        return DONE
    rows = [(item.name, _inputs(item), str(_json(item, session)["file"]), item.description) for item in found]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for index, column in enumerate(("task", "inputs", "file")):
        table.add_column(column, no_wrap=True, min_width=max(len(row[index]) for row in rows))
    table.add_column("description", no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    out.print(table)
    return DONE


def _inputs(item: TaskTemplate) -> str:
    return " ".join(name if shape.required else f"[{name}]" for name, shape in item.inputs.items())


def _json(item: TaskTemplate, session: Session) -> dict[str, Any]:
    source = Path(item.source) if item.source else None
    inside = source is not None and source.is_relative_to(session.root)
    return {
        "name": item.name,
        "file": str(source.relative_to(session.root)) if source is not None and inside else item.source,
        "description": item.description,
        "inputs": [shape.as_dict() for shape in item.inputs.values()],
        "model": item.model or session.settings.model,
    }


def _task_on(path: Path, line: int, session: Session) -> TaskAt | int:
    """The task on a line, counted from 1, or the exit code after saying why there is none."""
    text = read_source(path)
    if isinstance(text, int):
        return text
    documents = workspace_documents(session.root, session.settings.templates.include)
    name = str(path.resolve())
    documents[name] = Document(name, language_of(path.name) or "workflow", text)
    snapshot = snapshot_of(session.root, documents, read_or_none, session.settings)
    starts = documents[name].lines.starts
    if not 1 <= line <= len(starts):
        return cannot(f"{path} has {len(starts)} lines, not {line}")
    end = starts[line] - 1 if line < len(starts) else len(text)
    found = task_at(documents[name], snapshot, starts[line - 1], end)
    return found if found is not None else cannot(f"no task is called or defined on {path}:{line}")


def show_preview(name: str, inputs: tuple[str, ...], root: Path | None, as_json: bool) -> int:
    """The exact request of a task, and an estimate of its tokens."""
    try:
        given = parse_inputs(inputs)
    except ValueError as error:
        return cannot(str(error))
    session = _session(root)
    file, colon, line = name.rpartition(":")
    if colon and line.isdigit() and Path(file).is_file():
        found = _task_on(Path(file), int(line), session)
        if isinstance(found, int):
            return found
        name, given = found.name, {**found.inputs, **given}
    try:
        prepared = asyncio.run(session.preview_task(name, given))
    except EngineError as error:
        err.print("[error]error[/]:", end=" ")
        err.print(error.error.message, markup=False)
        return FOUND
    tokens = request_tokens(prepared.request)
    if as_json:
        print_json({"request": prepared.request.as_dict(), "tokens": tokens, "files": prepared.files})
        return DONE
    out.print(f"[dim]model[/] {prepared.request.model}  [dim]about[/] {tokens} tokens")
    if prepared.request.system:
        out.print("[dim]── system ──[/]")
        out.print(prepared.request.system, markup=False)
    for message in prepared.request.messages:
        out.print(f"[dim]── {message['role']} ──[/]")
        out.print(str(message["content"]), markup=False)
    return DONE
