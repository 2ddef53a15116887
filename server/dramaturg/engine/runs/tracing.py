"""How does a run look as OpenTelemetry spans? By the semantic conventions for generative AI.

Names are kept here alone, as the conventions still move (opentelemetry.io, GenAI
spans and attributes). Nothing is loaded unless an exporter is configured in the
environment and the extra `dramaturg[otel]` is installed.
"""

from __future__ import annotations

import os
from typing import Any

from dramaturg.engine import events

RUN = "invoke_workflow {name}"
CHAT = "chat {model}"
TOOL = "execute_tool {name}"
OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOOL_NAME = "gen_ai.tool.name"
ERROR_TYPE = "error.type"
TASK = "dramaturg.task"
PLACE = "code.file.path"
LINE = "code.line.number"


def tracing_listener() -> events.Listener | None:
    """A listener that makes spans; None where no exporter is configured, or the extra is not installed."""
    configured = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    if not configured or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # type: ignore[import-not-found]
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return None
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        provider = TracerProvider(resource=Resource.create({"service.name": "dramaturg"}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
    return Spans(trace.get_tracer("dramaturg"))


class Spans:
    """A run's spans: one for the run, one for each model call, one for each tool."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.run: Any = None
        self.calls: dict[int, Any] = {}

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.RunStarted():
                attributes = {OPERATION: "invoke_workflow", "dramaturg.run.kind": event.kind}
                self.run = self.tracer.start_span(RUN.format(name=event.name), attributes=attributes)
            case events.TaskStarted():
                self.calls[event.call] = self._span(event.task, {TASK: event.task, OPERATION: "chat"})
                if event.place is not None:
                    self.calls[event.call].set_attributes({PLACE: event.place.path, LINE: event.place.line})
            case events.PromptBuilt() if event.call in self.calls:
                model = str(event.request.get("model", ""))
                self.calls[event.call].update_name(CHAT.format(model=model))
                self.calls[event.call].set_attribute(REQUEST_MODEL, model)
            case events.TaskFinished() if event.call in self.calls:
                self._end(self.calls.pop(event.call), event.result, event.status == "FAILED")
            case events.ToolCalled():
                span = self._span(TOOL.format(name=event.tool), {OPERATION: "execute_tool", TOOL_NAME: event.tool})
                if event.failed:
                    span.set_attribute(ERROR_TYPE, "tool_execution_error")
                span.end()
            case events.RunFinished() | events.RunFailed() if self.run is not None:
                self._end(self.run, event.result, isinstance(event, events.RunFailed))
                self.run = None
            case events.RunCancelled() if self.run is not None:
                self.run.set_attribute(ERROR_TYPE, "cancelled")
                self.run.end()
                self.run = None

    def _span(self, name: str, attributes: dict[str, Any]) -> Any:
        from opentelemetry import trace

        context = trace.set_span_in_context(self.run) if self.run is not None else None
        return self.tracer.start_span(name, context=context, attributes=attributes)

    @staticmethod
    def _end(span: Any, result: dict[str, Any], failed: bool) -> None:
        notes = result.get("notes") or {}
        tokens = notes.get("tokens") or {}
        found = {
            PROVIDER: notes.get("provider"),
            RESPONSE_MODEL: notes.get("model"),
            INPUT_TOKENS: tokens.get("input"),
            OUTPUT_TOKENS: tokens.get("output"),
        }
        span.set_attributes({name: value for name, value in found.items() if value is not None})
        if failed:
            error = notes.get("error") or {}
            span.set_attribute(ERROR_TYPE, str(error.get("reason") or error.get("type") or "failed"))
        span.end()
