"""What is a task's request and its result? (type document 000, Task Execution Types; 002 where it adds)"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from dramaturg.engine.types.context import PartialContextManagement
from dramaturg.engine.types.errors import TaskError
from dramaturg.engine.types.model import Interface, OpenInterface


class ReturnStatus(StrEnum):
    """How a task ended. [Type:System:ReturnStatus:1.0]"""

    COMPLETE = "COMPLETE"
    CONTINUATION = "CONTINUATION"
    FAILED = "FAILED"


TaskType = Literal["atomic"]


class AtomicTaskSubtype(StrEnum):
    """The kinds of atomic task. [Type:System:AtomicTaskSubtype:1.0]"""

    STANDARD = "standard"
    SUBTASK = "subtask"
    DIRECTOR = "director"
    EVALUATOR = "evaluator"
    ASSOCIATIVE_MATCHING = "associative_matching"


class Notes(OpenInterface):
    """Metadata of a result; further keys are welcome."""

    data_usage: str | None = Field(None, alias="dataUsage")
    success_score: float | None = Field(None, alias="successScore")
    parse_error: str | None = Field(None, alias="parseError")
    error: TaskError | None = None


class TaskResult(Interface):
    """What a task gives back; FAILED ones carry `notes.error`. [Type:System:TaskResult:1.0]"""

    content: str
    status: ReturnStatus
    criteria: str | None = None
    parsed_content: Any | None = Field(None, alias="parsedContent")
    notes: Notes = Field(default_factory=Notes)


class EvaluationDetails(OpenInterface):
    """Structured details of an evaluation."""

    metrics: dict[str, float] | None = None
    violations: list[str] | None = None
    suggestions: list[str] | None = None


class EvaluationNotes(Notes):
    """Notes of an evaluator's result."""

    success: bool
    feedback: str
    details: EvaluationDetails | None = None


class EvaluationResult(TaskResult):
    """The result of an evaluator task. [Type:System:EvaluationResult:1.0]"""

    notes: EvaluationNotes


class ScriptTaskResult(TaskResult):
    """The result of a script; a non-zero exit code is a result, not a failure. (002)"""

    stdout: str
    stderr: str
    exit_code: int = Field(alias="exitCode")


class EvaluationInput(Interface):
    """What an evaluator receives after a script: the director's text and the script's raw outputs. (002)"""

    target_content: str
    stdout: str | None = None
    stderr: str | None = None
    exit_code: int | None = None


class SubtaskRequest(Interface):
    """A call of an atomic task. [Type:System:SubtaskRequest:1.0]"""

    type: TaskType = "atomic"
    name: str
    description: str | None = None
    inputs: dict[str, Any] = Field(default_factory=dict)
    template_hints: list[str] | None = None
    context_management: PartialContextManagement | None = None
    max_depth: int | None = Field(None, gt=0)
    file_paths: list[str] | None = None
