"""How does a value or an error of a run become a TaskResult?"""

from __future__ import annotations

import logging
import uuid
from typing import Any

from dramaturg.engine.errors import EngineError, WorkflowError, failed, failure
from dramaturg.engine.evaluator.values import Value, text_of, to_json, write_value
from dramaturg.engine.secrets import mask_data
from dramaturg.engine.types import TASK_ERROR, Notes, ReturnStatus, TaskResult

log = logging.getLogger(__name__)


def value_result(value: Value) -> TaskResult:
    """A workflow's value as a TaskResult: a result is itself, other values as text and as JSON."""
    if isinstance(value, TaskResult):
        return value
    content = value if isinstance(value, str) else write_value(value)
    if isinstance(value, float | int):
        content = text_of(value) or ""
    return TaskResult(content=content, status=ReturnStatus.COMPLETE, parsed_content=to_json(value), notes=Notes())


def error_result(error: EngineError) -> TaskResult:
    """A FAILED result that says where: the place, and the calls that led there."""
    notes: dict[str, Any] = {}
    if isinstance(error, WorkflowError) and error.place is not None:
        notes["location"] = {"path": error.place.path, "line": error.place.line, "column": error.place.column}
        notes["calls"] = [f"{name} at {place}" for name, place in error.calls]
    masked = TASK_ERROR.validate_python(mask_data(error.error.as_dict()))
    return failed(masked, masked.message, **mask_data(notes))


def unexpected(error: BaseException) -> TaskResult:
    """A FAILED result for a bug of ours, with an id that the log has too."""
    identity = uuid.uuid4().hex[:8]
    log.error("unexpected error %s", identity, exc_info=error)
    message = f"unexpected error {identity}: {type(error).__name__}; the log has more under this id"
    return failed(failure("unexpected_error", message))
