"""What is asked of the memory system, and what does it answer? (type document 000, Context Management Types)"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from dramaturg.engine.types.model import Interface


class InheritContext(StrEnum):
    """How much of the parent's context is inherited."""

    FULL = "full"
    NONE = "none"
    SUBSET = "subset"


class AccumulationFormat(StrEnum):
    """What is kept of earlier steps."""

    FULL_OUTPUT = "full_output"
    NOTES_ONLY = "notes_only"


class FreshContext(StrEnum):
    """Whether new context is fetched by associative matching."""

    ENABLED = "enabled"
    DISABLED = "disabled"


class ContextManagement(Interface):
    """The three-dimensional context settings. [Type:System:ContextManagement:1.0]"""

    inherit_context: InheritContext = Field(InheritContext.FULL, alias="inheritContext")
    accumulate_data: bool = Field(False, alias="accumulateData")
    accumulation_format: AccumulationFormat = Field(AccumulationFormat.NOTES_ONLY, alias="accumulationFormat")
    fresh_context: FreshContext = Field(FreshContext.DISABLED, alias="freshContext")


class PartialContextManagement(Interface):
    """Context settings of which only some are written: `Partial<ContextManagement>`."""

    inherit_context: InheritContext | None = Field(None, alias="inheritContext")
    accumulate_data: bool | None = Field(None, alias="accumulateData")
    accumulation_format: AccumulationFormat | None = Field(None, alias="accumulationFormat")
    fresh_context: FreshContext | None = Field(None, alias="freshContext")


#: Settings of an atomic task invoked as a subtask. [Type:System:SubtaskContextDefaults:1.0]
SUBTASK_CONTEXT_DEFAULTS = ContextManagement(
    inherit_context=InheritContext.SUBSET,
    accumulate_data=False,
    accumulation_format=AccumulationFormat.NOTES_ONLY,
    fresh_context=FreshContext.ENABLED,
)


class MatchTuple(Interface):
    """One match: an absolute path, a relevance from 0 to 1, perhaps an excerpt. [Type:System:MatchTuple:1.0]"""

    path: str
    relevance: float = Field(ge=0.0, le=1.0)
    excerpt: str | None = None


class AssociativeMatchResult(Interface):
    """What matching found; `error` where it failed. [Type:System:AssociativeMatchResult:1.0]"""

    context_summary: str
    matches: list[MatchTuple] = Field(default_factory=list)
    error: str | None = None


class ContextGenerationInput(Interface):
    """A request for context. [Type:System:ContextGenerationInput:5.0]"""

    template_description: str | None = Field(None, alias="templateDescription")
    template_type: str | None = Field(None, alias="templateType")
    template_subtype: str | None = Field(None, alias="templateSubtype")
    query: str | None = None
    inputs: dict[str, Any] | None = None
    inherited_context: str | None = Field(None, alias="inheritedContext")
    previous_outputs: str | None = Field(None, alias="previousOutputs")
    matching_strategy: Literal["content", "metadata"] | None = None
