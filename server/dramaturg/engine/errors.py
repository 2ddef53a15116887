"""Which exceptions does running raise?

EngineError                 anything a run can end with; carries a TaskError as data
├── WorkflowError           raised while a workflow is evaluated; also carries place and calls
└── Cancelled               the run was cancelled

`EngineError`s are turned into FAILED TaskResults at the edge of the engine:
whoever calls `execute_atomic_template` or runs a workflow never sees one.
"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.types import (
    Notes,
    ReturnStatus,
    TaskError,
    TaskFailure,
    TaskFailureDetails,
    TaskFailureReason,
    TaskResult,
)
from dramaturg.text import Place


class EngineError(Exception):
    """A failure with its TaskError."""

    def __init__(self, error: TaskError) -> None:
        super().__init__(error.message)
        self.error = error


class WorkflowError(EngineError):
    """A failure of an expression: where it stands, and the calls that led there, innermost first."""

    def __init__(self, error: TaskError, place: Place | None = None) -> None:
        super().__init__(error)
        self.place = place
        self.calls: list[tuple[str, Place | None]] = []


class Cancelled(EngineError):
    """The run was cancelled."""

    def __init__(self) -> None:
        super().__init__(failure("execution_halted", "cancelled"))


def failure(reason: str, message: str, **details: Any) -> TaskFailure:
    """A TASK_FAILURE; `details` are fields of TaskFailureDetails, `content` and `notes` the error's own."""
    content = details.pop("content", None)
    notes = details.pop("notes", None)
    return TaskFailure(
        reason=TaskFailureReason(reason),
        message=message,
        content=content,
        notes=notes,
        details=TaskFailureDetails(**details) if details else None,
    )


def failed(error: TaskError, content: str = "", **notes: Any) -> TaskResult:
    """A FAILED TaskResult that carries `error`."""
    return TaskResult(
        content=content or error.content or error.message,
        status=ReturnStatus.FAILED,
        notes=Notes(error=error, **notes),
    )
