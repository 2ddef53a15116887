"""Which fields have the records of the language? The names of the type documents; a test compares the engine's types."""

from __future__ import annotations

#: Record → field → type, in the words of signatures; the name of a record, and `name[]`, a list of it, count as types.
RECORDS: dict[str, dict[str, str]] = {
    "TaskResult": {
        "content": "string",
        "status": "string",
        "criteria": "any",
        "parsedContent": "any",
        "notes": "map",
    },
    "ScriptTaskResult": {
        "content": "string",
        "status": "string",
        "criteria": "any",
        "parsedContent": "any",
        "notes": "map",
        "stdout": "string",
        "stderr": "string",
        "exitCode": "integer",
    },
    "AssociativeMatchResult": {"context_summary": "string", "matches": "MatchTuple[]", "error": "any"},
    "MatchTuple": {"path": "string", "relevance": "number", "excerpt": "any"},
}
