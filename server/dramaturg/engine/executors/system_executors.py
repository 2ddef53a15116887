"""What do the tools `system:get_context` and `system:read_files` do? (IDL of the system executors)

Parameters and results are plain dictionaries, results shaped as a TaskResult; a
failure is a FAILED result, never an exception.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from pydantic import ValidationError

from dramaturg.engine.errors import failed, failure
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, Notes, ReturnStatus, TaskResult


class ContextSource(Protocol):
    """The memory system, or who stands before it."""

    async def get_relevant_context_for(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        """The files that matter; a failure is the result's `error`."""
        ...


async def execute_get_context(params: dict[str, Any], memory_system: ContextSource) -> dict[str, Any]:
    """The relevant paths as a JSON array in `content`; `notes` has `file_paths` and `context_summary`."""
    query = params.get("query")
    if not isinstance(query, str) or not query.strip():
        return _invalid("`query` is missing: expected a string that says what to look for")
    extras = {name: params[name] for name in ("history", "target_files") if params.get(name)}
    try:
        request = ContextGenerationInput(query=query, inputs=extras or None)
    except ValidationError as error:
        return _invalid(str(error.errors()[0]["msg"]))
    found = await memory_system.get_relevant_context_for(request)
    if found.error is not None:
        return failed(failure("context_retrieval_failure", found.error)).as_dict()
    paths = [match.path for match in found.matches]
    notes = Notes.model_validate({"file_paths": paths, "context_summary": found.context_summary})
    content = json.dumps(paths, ensure_ascii=False)
    return TaskResult(content=content, status=ReturnStatus.COMPLETE, notes=notes).as_dict()


def execute_read_files(params: dict[str, Any], file_manager: FileAccessManager) -> dict[str, Any]:
    """The files' content, each led by its path; `notes` has `files_read_count` and `skipped_files`."""
    paths = params.get("file_paths")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return _invalid("`file_paths` is missing or no list: expected a list of paths")
    parts: list[str] = []
    skipped: list[str] = []
    for path in paths:
        text = file_manager.read_file(path)
        if text is None:
            skipped.append(path)
        else:
            parts.append(f"--- {path} ---\n{text}")
    notes = Notes.model_validate({"files_read_count": len(parts), "skipped_files": skipped})
    return TaskResult(content="\n".join(parts), status=ReturnStatus.COMPLETE, notes=notes).as_dict()


def _invalid(message: str) -> dict[str, Any]:
    return failed(failure("input_validation_failure", message)).as_dict()
