"""Answers from recordings, by the hash of the exact request.

A recording is a line of JSON: `{"request": …, "response": {"content": …,
"tool_calls": …, "stop_reason": …, "usage": …}}`, with whatever notes beside.
Nothing here reaches a network.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    ProviderEvent,
    TextDelta,
    ToolUse,
    request_hash,
)

#: How long the pieces are in which a recorded answer streams, in characters.
_PIECE = 80
_LINES = 12


class ReplayProvider:
    """The `replay` provider: several recordings of one request answer in order, the last one again and again."""

    name = "replay"

    def __init__(self, recordings: list[dict[str, Any]]) -> None:
        self._recordings = recordings
        self._answers: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for recording in recordings:
            self._answers[request_hash(recording["request"])].append(recording["response"])
        self._used: dict[str, int] = defaultdict(int)

    @classmethod
    def from_files(cls, paths: list[Path]) -> ReplayProvider:
        """A provider over files of recordings; EngineError names the file and line that cannot be read."""
        recordings: list[dict[str, Any]] = []
        for path in paths:
            try:
                lines = path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise EngineError(failure("llm_error", f"recordings cannot be read: {path}: {error}")) from None
            for number, line in enumerate(lines, 1):
                if line.strip():
                    recordings.append(_parsed(line, f"{path}:{number}"))
        return cls(recordings)

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The recorded answer; `llm_error` that shows what differs where there is none."""
        wanted = request.as_dict()
        key = request_hash(wanted)
        answers = self._answers.get(key)
        if not answers:
            raise EngineError(failure("llm_error", self._miss(wanted)))
        answer = answers[min(self._used[key], len(answers) - 1)]
        self._used[key] += 1
        content = str(answer.get("content", ""))
        for start in range(0, len(content), _PIECE):
            yield TextDelta(content[start : start + _PIECE])
        for number, call in enumerate(answer.get("tool_calls") or []):
            yield ToolUse(str(call.get("id", f"tool-{number}")), call["name"], call.get("arguments") or {})
        usage = answer.get("usage") or {}
        yield Completed(
            str(answer.get("stop_reason", "end_turn")),
            usage.get("input_tokens"),
            usage.get("output_tokens"),
            request.model,
        )

    async def close(self) -> None:
        """Nothing is held."""

    def _miss(self, wanted: dict[str, Any]) -> str:
        if not self._recordings:
            return "no recording answers this request: there are no recordings"
        text = _readable(wanted)
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(text.splitlines())
        best, score = self._recordings[0]["request"], -1.0
        for recording in self._recordings:
            matcher.set_seq1(_readable(recording["request"]).splitlines())
            ratio = matcher.quick_ratio()
            if ratio > score:
                best, score = recording["request"], ratio
        difference = list(
            unified_diff(
                _readable(best).splitlines(), text.splitlines(), "nearest recording", "this request", "", "", 0
            )
        )
        shown = "\n".join(difference[2 : 2 + _LINES])
        more = f"\n… and {len(difference) - 2 - _LINES} more lines" if len(difference) > 2 + _LINES else ""
        return f"no recording answers this request; the nearest one differs:\n{shown}{more}"


def _readable(request: dict[str, Any]) -> str:
    """The request as lines, so that a difference names its field."""
    lines: list[str] = []
    for key in sorted(request):
        value = request[key]
        if key == "messages":
            for message in value:
                content = message["content"]
                text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, sort_keys=True)
                lines.extend(f"{message['role']}: {line}" for line in text.splitlines())
        elif isinstance(value, str):
            lines.extend(f"{key}: {line}" for line in value.splitlines() or [""])
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False, sort_keys=True)}")
    return "\n".join(lines)


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EngineError(failure("llm_error", f"{where}: not a recording: {error}")) from None
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("request"), dict)
        or not isinstance(data.get("response"), dict)
    ):
        raise EngineError(failure("llm_error", f"{where}: not a recording: expected `request` and `response`"))
    return data
