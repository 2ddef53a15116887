"""What is a recording, and which one answers a request?

A recording is a line of JSON: `{"request": …, "response": …}`, with a `kind` of
`context` or `script` where it is no model call, and whatever notes beside. Paths
below the workspace's root are written from `$WORKSPACE`, so that a recording
answers in any checkout.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.secrets import mask_data

Kind = Literal["model", "context", "script"]
WORKSPACE = "$WORKSPACE"

_LINES = 12


def request_hash(request: dict[str, Any]) -> str:
    """The SHA-256 of a request's canonical JSON, in hexadecimal."""
    text = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Recordings:
    """The recordings of a run, or of the tests beside a workflow.

    Several recordings of one request answer in order, the last one again and again.
    """

    entries: list[dict[str, Any]]
    root: Path | None = None
    _answers: dict[tuple[str, str], list[Any]] = field(default_factory=lambda: defaultdict(list))
    _used: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        for entry in self.entries:
            key = (entry.get("kind", "model"), request_hash(entry["request"]))
            self._answers[key].append(entry["response"])

    def has(self, kind: Kind) -> bool:
        """Whether there are recordings of a kind."""
        return any(entry.get("kind", "model") == kind for entry in self.entries)

    def answer(self, kind: Kind, request: dict[str, Any]) -> Any:
        """The response to a request; `llm_error` that shows what differs from the nearest recording, where none is.

        For context matches and scripts the reason is that of their own failures.
        """
        wanted = portable(mask_data(request), self.root)
        key = (kind, request_hash(wanted))
        answers = self._answers.get(key)
        if not answers:
            reasons: dict[Kind, Any] = {"context": "context_matching_failure", "script": "tool_execution_error"}
            raise EngineError(failure(reasons.get(kind, "llm_error"), self._miss(kind, wanted)))
        found = answers[min(self._used[key], len(answers) - 1)]
        self._used[key] += 1
        return at_home(found, self.root)

    def take(self, kind: Kind, request: dict[str, Any]) -> Any:
        """The next response to a request that was not taken yet, or None where there is none left."""
        key = (kind, request_hash(portable(mask_data(request), self.root)))
        answers = self._answers.get(key, [])
        if self._used[key] >= len(answers):
            return None
        self._used[key] += 1
        return at_home(answers[self._used[key] - 1], self.root)

    def _miss(self, kind: Kind, wanted: dict[str, Any]) -> str:
        of_kind = [entry["request"] for entry in self.entries if entry.get("kind", "model") == kind]
        what = {"model": "request", "context": "context match", "script": "script"}[kind]
        if not of_kind:
            return f"no recording answers this {what}: there are no recordings{' of its kind' if self.entries else ''}"
        text = readable(wanted).splitlines()
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(text)
        best, score = of_kind[0], -1.0
        for request in of_kind:
            matcher.set_seq1(readable(request).splitlines())
            ratio = matcher.quick_ratio()
            if ratio > score:
                best, score = request, ratio
        labels = ("nearest recording", f"this {what}", "", "")
        difference = list(unified_diff(readable(best).splitlines(), text, *labels, 0))[2:]
        shown = "\n".join(difference[:_LINES])
        more = f"\n… and {len(difference) - _LINES} more lines" if len(difference) > _LINES else ""
        return f"no recording answers this {what}; the nearest one differs:\n{shown}{more}"


class Writer(Protocol):
    """Whoever writes recordings down: a file, or a run's log."""

    def write(self, kind: Kind, request: dict[str, Any], response: dict[str, Any]) -> None:
        """Writes one recording."""
        ...


@dataclass
class Recorder:
    """Appends recordings to a file, which is made with the first one; secrets are masked."""

    path: Path
    root: Path | None = None
    note: str = ""

    def write(self, kind: Kind, request: dict[str, Any], response: dict[str, Any]) -> None:
        """Writes one recording."""
        line: dict[str, Any] = {"note": self.note} if self.note else {}
        line |= {"kind": kind} if kind != "model" else {}
        line |= portable(mask_data({"request": request, "response": response}), self.root)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_recordings(paths: list[Path], root: Path | None = None) -> Recordings:
    """The recordings of some files; EngineError (`llm_error`) names the file and line that cannot be read."""
    entries: list[dict[str, Any]] = []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise EngineError(failure("llm_error", f"recordings cannot be read: {path}: {error}")) from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                entries.append(_parsed(line, f"{path}:{number}"))
    return Recordings(entries, root)


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EngineError(failure("llm_error", f"{where}: not a recording: {error}")) from None
    if not isinstance(data, dict) or not all(isinstance(data.get(key), dict) for key in ("request", "response")):
        raise EngineError(failure("llm_error", f"{where}: not a recording: expected `request` and `response`"))
    if data.get("kind", "model") not in get_args(Kind):
        raise EngineError(failure("llm_error", f"{where}: not a recording: unknown kind `{data['kind']}`"))
    return data


def portable(data: Any, root: Path | None) -> Any:
    """JSON data with paths below the root written from `$WORKSPACE`."""
    return _replaced(data, f"{root}/", f"{WORKSPACE}/") if root is not None else data


def at_home(data: Any, root: Path | None) -> Any:
    """JSON data with paths from `$WORKSPACE` written from the root."""
    return _replaced(data, f"{WORKSPACE}/", f"{root}/") if root is not None else data


def _replaced(data: Any, old: str, new: str) -> Any:
    if isinstance(data, str):
        return data.replace(old, new)
    if isinstance(data, list):
        return [_replaced(item, old, new) for item in data]
    if isinstance(data, dict):
        return {key: _replaced(value, old, new) for key, value in data.items()}
    return data


def readable(request: dict[str, Any]) -> str:
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
