"""What does `dramaturg run` do, and how does it show a run?"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dramaturg.cli.output import DONE, FOUND, cannot, err, out, parse_inputs, print_json, warn_of, workspace
from dramaturg.config import is_workspace
from dramaturg.engine import events
from dramaturg.engine.errors import EngineError
from dramaturg.engine.recordings.entries import Recorder, read_recordings
from dramaturg.engine.runs.history import run_of
from dramaturg.engine.runs.journal import Journal
from dramaturg.engine.session import Session
from dramaturg.engine.types import ReturnStatus, TaskResult


@dataclass(frozen=True)
class Options:
    """The command line of `run`."""

    file: Path | None
    expression: str | None
    task: str | None
    inputs: tuple[str, ...]
    provider: str | None
    model: str | None
    trust: bool
    replay: list[Path]
    record: Path | None
    resume: str | None
    rerun_scripts: bool
    cache: bool
    root: Path | None
    as_json: bool


def run_program(options: Options) -> int:
    """Runs what the options say; 0 done, 1 FAILED, 2 could not run, 130 interrupted."""
    chosen = [item for item in (options.file, options.expression, options.task) if item is not None]
    if len(chosen) != 1:
        return cannot("expected one of FILE, -e EXPRESSION or --task NAME")
    text, path = options.expression or "", str(Path.cwd() / "-e")
    if options.file is not None:
        try:
            text, path = options.file.read_bytes().decode("utf-8"), str(options.file.resolve())
        except UnicodeDecodeError as error:
            return cannot(f"{options.file}: not UTF-8 at byte {error.start}: save the file as UTF-8")
        except OSError as error:
            return cannot(f"{options.file}: {error.strerror or error}")
    try:
        inputs = parse_inputs(options.inputs)
    except ValueError as error:
        return cannot(str(error))
    root, loaded = workspace(options.root, options.file)
    settings = replace(
        loaded.settings,
        provider=options.provider or loaded.settings.provider,
        model=options.model or loaded.settings.model,
        runs=replace(loaded.settings.runs, cache=loaded.settings.runs.cache or options.cache),
    )
    listener = events.ignore if options.as_json else _Printer()
    session = Session(root, settings, options.trust, None, listener)
    try:
        if options.replay:
            session.replay(read_recordings(options.replay, session.root))
    except EngineError as error:
        return cannot(error.error.message)
    if settings.runs.log and is_workspace(root):
        session.journal = Journal(session.root)
    if options.resume:
        if session.journal is None:
            return cannot("runs are logged in workspaces only: there is none to resume here")
        try:
            session.resume = run_of(session.journal, options.resume).row["id"]
            session.rerun_scripts = options.rerun_scripts
        except EngineError as error:
            return cannot(error.error.message)
    if options.record is not None:
        session.record(Recorder(options.record, session.root))
    if options.expression is None or is_workspace(root):
        session.load_templates()
        warn_of(session.load_problems)
    try:
        result = asyncio.run(_run(session, options, text, path, inputs))
    except (KeyboardInterrupt, asyncio.CancelledError):
        err.print("cancelled")
        return 130
    if options.as_json:
        print_json(result_json(result))
    else:
        _print(result)
    return FOUND if result.status is ReturnStatus.FAILED else DONE


async def _run(session: Session, options: Options, text: str, path: str, inputs: dict[str, Any]) -> TaskResult:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        session.cancel()
        task.cancel()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    if options.task is not None:
        return await session.run_task(options.task, inputs)
    return await session.run_workflow(text, path, inputs)


def result_json(result: TaskResult) -> dict[str, Any]:
    """The TaskResult; `parsedContent` is always there for a value, null for nil."""
    data = result.as_dict()
    if result.status is not ReturnStatus.FAILED:
        data.setdefault("parsedContent", None)
    return data


def _print(result: TaskResult) -> None:
    if result.status is not ReturnStatus.FAILED:
        out.print(result.content, markup=False)
        return
    error = result.notes.error
    notes = result.notes.as_dict()
    place = notes.get("location")
    where = f"{place['path']}:{place['line']}:{place['column']}: " if isinstance(place, dict) else ""
    reason = getattr(error, "reason", None)
    kind = (
        f"{error.type}, {reason}" if error is not None and reason else (error.type if error is not None else "FAILED")
    )
    err.print(where, end="", markup=False)
    err.print("[error]failed[/]: ", end="")
    err.print(f"{error.message if error else result.content} [{kind}]", markup=False)
    calls = notes.get("calls")
    for call in calls if isinstance(calls, list) else []:
        err.print(f"  in {call}", style="dim", markup=False)
    details = getattr(error, "details", None)
    if details is not None and details.failing_expression:
        err.print(f"  expression: {details.failing_expression}", style="dim", markup=False)
        for name, value in (details.s_expression_environment or {}).items():
            err.print(f"    {name} = {value}", style="dim", markup=False)


class _Printer:
    """Prints a run's steps to standard error while it goes on."""

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.FormEntered() if event.iteration is not None:
                self.line(f"  {event.form}", f"iteration {event.iteration}")
            case events.FormEntered() if event.form.startswith("step "):
                self.line(f"  {event.form}", "")
            case events.ContextMatched():
                self.line("    context", f"{event.matches} matches in {event.seconds * 1000:.0f} ms")
            case events.TaskStarted():
                self.line(f"  {event.task}", "started")
            case events.TaskFinished():
                style = "error" if event.status == "FAILED" else "good"
                self.line(f"  {event.task}", f"[{style}]{event.status}[/] {_usage(event)}")
            case events.ToolCalled():
                outcome = "[error]failed[/]" if event.failed else "done"
                self.line(f"  {event.tool}", f"{outcome} in {event.seconds * 1000:.0f} ms")
            case events.Warned():
                err.print("  [warning]warning[/]:", end=" ")
                err.print(event.message, markup=False)
            case events.Logged():
                err.print(f"  {event.message}", markup=False)

    def line(self, name: str, text: str) -> None:
        err.print(f"[name]{name}[/] [dim]{text}[/]")


def _usage(event: events.TaskFinished) -> str:
    notes = event.result.get("notes")
    tokens = notes.get("tokens") if isinstance(notes, dict) else None
    shown = f", {tokens['input']} tokens in, {tokens['output']} out" if isinstance(tokens, dict) else ""
    return f"after {event.seconds:.2f} s{shown}"
