"""What is a task template once it is loaded, and what holds templates? (type documents 002 and 000)"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dramaturg.engine.types.context import PartialContextManagement
from dramaturg.engine.types.model import Interface
from dramaturg.engine.types.tasks import AtomicTaskSubtype


class InputDefinition(Interface):
    """An input of a template."""

    name: str
    description: str = ""
    required: bool = True
    default: str | None = None
    type: str = "any"


class OutputFormat(Interface):
    """What an answer must be; `output_schema` as the template writes it."""

    type: Literal["json", "text"] = "text"
    output_schema: str | None = Field(None, alias="schema")


class FilePathsSource(Interface):
    """Where a template's files come from."""

    type: Literal["literal", "command", "description", "context_description"] = "literal"
    paths: list[str] = Field(default_factory=list)
    command: str | None = None
    description: str | None = None
    context_query: str | None = None


class TemplateLimits(Interface):
    """Limits that a template writes over the configuration's."""

    max_turns: int | None = Field(None, gt=0, alias="maxTurns")
    max_context_window: int | None = Field(None, gt=0, alias="maxContextWindow")
    warning_threshold: float | None = Field(None, ge=0.0, le=1.0, alias="warningThreshold")
    timeout: int | None = Field(None, gt=0)
    max_output_tokens: int | None = Field(None, gt=0, alias="maxOutputTokens")


class TemplateCall(Interface):
    """Another template's prompt, its parameters given by position. (002, FunctionCall)"""

    template: str
    arguments: list[str] = Field(default_factory=list)


class TaskTemplate(Interface):
    """An atomic task's template. (002, with the additions of the template contract)"""

    name: str
    type: Literal["atomic"] = "atomic"
    atomic_subtype: AtomicTaskSubtype = Field(AtomicTaskSubtype.STANDARD, alias="atomicSubtype")
    description: str = ""
    task_prompt: str = Field("", alias="taskPrompt")
    system_prompt: str = Field("", alias="systemPrompt")
    provider: str | None = None
    model: str | None = None
    inputs: dict[str, InputDefinition] = Field(default_factory=dict)
    output_format: OutputFormat = Field(default_factory=OutputFormat)
    context_management: PartialContextManagement = Field(default_factory=PartialContextManagement)
    file_paths_source: FilePathsSource | None = None
    context_relevance: dict[str, bool] = Field(default_factory=dict)
    context_assembly: dict[str, str] = Field(default_factory=dict)
    is_manual_xml: bool = Field(False, alias="isManualXML")
    disable_reparsing: bool = Field(False, alias="disableReparsing")
    criteria: str | None = None
    limits: TemplateLimits = Field(default_factory=TemplateLimits)
    call: TemplateCall | None = None
    positional: bool = False
    ref: str | None = None
    source: str | None = None


class ASTNode(Interface):
    """A parsed task as the older document sees it. (002)"""

    type: str
    content: str
    children: list[ASTNode] | None = None
    metadata: dict[str, Any] | None = None
    operator_type: Literal["atomic", "sequential", "reduce", "script"] | None = Field(None, alias="operatorType")


class TaskDefinition(Interface):
    """An entry of a task library. (002)"""

    name: str
    isatomic: bool = True
    type: Literal["atomic", "sequential", "reduce", "script"] = "atomic"
    subtype: str | None = None
    metadata: dict[str, Any] | None = None
    ast_node: ASTNode = Field(alias="astNode")
