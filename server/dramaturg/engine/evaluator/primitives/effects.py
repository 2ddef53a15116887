"""What do the primitives do that report, raise, or open a result?"""

from __future__ import annotations

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.evaluator.primitives.maps import fields
from dramaturg.engine.evaluator.primitives.registry import a_string, primitive
from dramaturg.engine.evaluator.runtime import ArgumentError, Runtime
from dramaturg.engine.evaluator.values import Value, display, to_json
from dramaturg.engine.events import Logged
from dramaturg.engine.secrets import mask
from dramaturg.engine.types import TASK_ERROR, ReturnStatus, TaskResult


@primitive("log-message", needs_runtime=True)
def log_message(runtime: Runtime, *parts: Value) -> str:
    """`log-message`."""
    text = "".join(display(part) for part in parts)
    runtime.services.emit(Logged(mask(text)))
    return text


@primitive("error")
def error(message: Value, details: Value = None) -> None:
    """`error`."""
    notes = None if details is None else {"details": to_json(fields(details, 2))}
    raise EngineError(failure("execution_halted", a_string(message, 1), notes=notes))


@primitive("unwrap")
def unwrap(result: Value) -> Value:
    """`unwrap`: parsed content, else content; a FAILED result's own error is raised."""
    if isinstance(result, TaskResult):
        if result.status is ReturnStatus.FAILED:
            task_error = result.notes.error
            raise EngineError(task_error or failure("unexpected_error", result.content))
        return result.content if result.parsed_content is None else result.parsed_content
    if type(result) is dict and "status" in result and "content" in result:
        if result["status"] == "FAILED":
            notes = result.get("notes") or {}
            data = notes.get("error") if isinstance(notes, dict) else None
            raise EngineError(
                TASK_ERROR.validate_python(data) if data else failure("unexpected_error", str(result["content"]))
            )
        parsed = result.get("parsedContent")
        return result["content"] if parsed is None else parsed
    raise ArgumentError(1, "a task result", result)
