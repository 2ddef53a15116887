"""What may a handler session use, and what has it used? (type document 000, Resource Management Types)"""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from dramaturg.engine.types.model import Interface


class TurnMetrics(Interface):
    """Turns of a session."""

    used: int = Field(0, ge=0)
    limit: int = Field(gt=0)
    last_turn_at: datetime | None = Field(None, alias="lastTurnAt")


class ContextMetrics(Interface):
    """Tokens in the context window of a session."""

    used: int = Field(0, ge=0)
    limit: int = Field(gt=0)
    peak_usage: int = Field(0, ge=0, alias="peakUsage")


class ResourceMetrics(Interface):
    """What a session has used. [Type:System:ResourceMetrics:1.0]"""

    turns: TurnMetrics
    context: ContextMetrics


class ResourceLimits(Interface):
    """What a session may use; `timeout` in seconds, windows in tokens. [Type:System:ResourceLimits:1.0]"""

    max_turns: int = Field(gt=0, alias="maxTurns")
    max_context_window: int = Field(gt=0, alias="maxContextWindow")
    warning_threshold: float = Field(0.8, ge=0.0, le=1.0, alias="warningThreshold")
    timeout: int | None = Field(None, gt=0)


class HandlerConfig(Interface):
    """How a handler session is set up; `tools` are those the model may use. [Type:System:HandlerConfig:1.0]"""

    provider: str
    max_turns: int = Field(gt=0, alias="maxTurns")
    max_context_window_fraction: float = Field(ge=0.0, le=1.0, alias="maxContextWindowFraction")
    default_model: str | None = Field(None, alias="defaultModel")
    system_prompt: str = Field(alias="systemPrompt")
    tools: list[str] | None = None
