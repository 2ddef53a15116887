"""How do a run's events look to a client: as JSON, and as one line of progress?"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from dramaturg.engine import events
from dramaturg.text import Place


def as_json(event: events.Event) -> dict[str, Any]:
    """An event as JSON data, its kind under `event`."""
    data: dict[str, Any] = {"event": type(event).__name__}
    for item in fields(event):
        value = getattr(event, item.name)
        if isinstance(value, Place):
            value = {"path": value.path, "line": value.line - 1, "column": value.column - 1}
        data[item.name] = value
    return data


def as_line(event: events.Event) -> str | None:
    """The event in a few words; None where a progress line would only flicker."""
    match event:
        case events.FormEntered():
            return f"{event.form}" + (f" ({event.iteration})" if event.iteration else "")
        case events.TaskStarted():
            return f"{event.task} …"
        case events.TaskFinished():
            return f"{event.task}: {event.status.lower()} after {event.seconds:.1f} s"
        case events.ToolCalled():
            return f"{event.tool}{' failed' if event.failed else ''}"
        case events.Warned() | events.Logged():
            return event.message
    return None
