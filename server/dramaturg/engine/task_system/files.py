"""Where do the files of a template come from?"""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable
from typing import Any

from dramaturg.config import Settings
from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.language.placeholders import render


async def template_files_of(
    template: TaskTemplate,
    inputs: dict[str, Any],
    match: Callable[[ContextGenerationInput], Awaitable[AssociativeMatchResult]],
    run_command: Callable[[str], Any] | None,
    settings: Settings,
) -> list[str]:
    """The paths that a template's `file_paths` gives: literal, printed by a command, or matched by a text."""
    source = template.file_paths_source
    if source is None:
        return []
    if source.type == "literal":
        return source.paths
    if source.type == "command":
        if run_command is None or not source.command:
            raise EngineError(
                failure(
                    "tool_execution_error",
                    f"`{template.name}`: its file paths come from a command, which may not run here",
                )
            )
        output = await run_command(render(source.command, inputs, shlex.quote))
        return [line.strip() for line in str(output).splitlines() if line.strip()]
    text = source.description if source.type == "description" else source.context_query
    query = render(text or template.description, inputs)
    found = await match(ContextGenerationInput(query=query))
    return [item.path for item in found.matches[: settings.matching.task_files]]
