"""Which errors can a task end with, as data? (type document 000, Error Types)"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from dramaturg.engine.types.model import Interface


class TaskFailureReason(StrEnum):
    """Why a task failed. [Type:System:TaskFailureReason:1.0]"""

    CONTEXT_RETRIEVAL_FAILURE = "context_retrieval_failure"
    CONTEXT_MATCHING_FAILURE = "context_matching_failure"
    CONTEXT_PARSING_FAILURE = "context_parsing_failure"
    XML_VALIDATION_FAILURE = "xml_validation_failure"
    OUTPUT_FORMAT_FAILURE = "output_format_failure"
    EXECUTION_TIMEOUT = "execution_timeout"
    EXECUTION_HALTED = "execution_halted"
    SUBTASK_FAILURE = "subtask_failure"
    INPUT_VALIDATION_FAILURE = "input_validation_failure"
    TEMPLATE_NOT_FOUND = "template_not_found"
    TOOL_EXECUTION_ERROR = "tool_execution_error"
    LLM_ERROR = "llm_error"
    UNEXPECTED_ERROR = "unexpected_error"


class TaskErrorBase(Interface):
    """What every error has. [TaskErrorBase]"""

    message: str
    content: str | None = None
    type: str


class TaskFailureDetails(Interface):
    """More on a failure; nesting depth counts from 0. [Type:System:TaskFailureDetails:1.0]"""

    partial_context: Any | None = None
    context_metrics: Any | None = None
    violations: list[str] | None = None
    subtask_request: Any | None = Field(None, alias="subtaskRequest")
    subtask_error: TaskError | None = Field(None, alias="subtaskError")
    nesting_depth: int | None = Field(None, ge=0, alias="nestingDepth")
    s_expression_environment: dict[str, Any] | None = None
    failing_expression: str | None = None
    script_stdout: str | None = None
    script_stderr: str | None = None
    script_exit_code: int | None = None


class Usage(Interface):
    """How much of a resource was used, and the limit it has."""

    used: int | float
    limit: int | float


class ResourceExhaustion(Interface):
    """A limit was reached; `content` is what there was by then."""

    type: Literal["RESOURCE_EXHAUSTION"] = "RESOURCE_EXHAUSTION"
    resource: Literal["turns", "context", "output"]
    message: str
    metrics: Usage | None = None
    content: str | None = None


class TaskFailure(Interface):
    """A task failed for one of the listed reasons."""

    type: Literal["TASK_FAILURE"] = "TASK_FAILURE"
    reason: TaskFailureReason
    message: str
    content: str | None = None
    notes: dict[str, Any] | None = None
    details: TaskFailureDetails | None = None


class InvalidOutput(Interface):
    """The model refused, or gave nothing usable."""

    type: Literal["INVALID_OUTPUT"] = "INVALID_OUTPUT"
    message: str
    content: str | None = None
    violations: list[str] | None = None


class ValidationFailure(Interface):
    """A template or a request breaks its schema. [VALIDATION_ERROR]"""

    type: Literal["VALIDATION_ERROR"] = "VALIDATION_ERROR"
    message: str
    path: str | None = None
    invalid_model: bool | None = Field(None, alias="invalidModel")
    content: str | None = None


class XmlParseFailure(Interface):
    """A template is not well-formed; `location` is `file:line:column`. [XML_PARSE_ERROR]"""

    type: Literal["XML_PARSE_ERROR"] = "XML_PARSE_ERROR"
    message: str
    location: str | None = None
    content: str | None = None


TaskError = Annotated[
    ResourceExhaustion | TaskFailure | InvalidOutput | ValidationFailure | XmlParseFailure,
    Field(discriminator="type"),
]

TaskFailureDetails.model_rebuild()
TaskFailure.model_rebuild()

#: Reads a TaskError of any type from data.
TASK_ERROR: TypeAdapter[ResourceExhaustion | TaskFailure | InvalidOutput | ValidationFailure | XmlParseFailure] = (
    TypeAdapter(TaskError)
)
