"""What do the journal's runs say: as rows, as a tree of steps, and how do two differ?"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.runs.journal import Journal


@dataclass
class Step:
    """One thing that a run did: when, from the run's start, how long, and what belongs to it."""

    kind: str
    name: str
    start: float
    seconds: float = 0.0
    status: str = ""
    place: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    children: list[Step] = field(default_factory=list)


@dataclass
class Run:
    """A run with its steps."""

    row: dict[str, Any]
    steps: list[Step]
    result: dict[str, Any]

    @property
    def seconds(self) -> float:
        """How long it took, so far as is known."""
        ended = self.row["ended"] or max((step.start + step.seconds for step in _all(self.steps)), default=0.0)
        return float(ended - self.row["started"] if self.row["ended"] else ended)


def rows(journal: Journal, limit: int = 50) -> list[dict[str, Any]]:
    """The last runs, newest first."""
    found = journal.execute("SELECT * FROM runs ORDER BY started DESC LIMIT ?", (limit,))
    return [dict(row) for row in found]


def run_of(journal: Journal, identity: str) -> Run:
    """The run whose id begins with `identity`, or the last one for `last`; EngineError where there is none, or two."""
    sql = "SELECT * FROM runs WHERE id LIKE ? ORDER BY started DESC LIMIT 2"
    pattern = f"{identity}%" if identity != "last" else "%"
    found = journal.execute(sql, (pattern.replace("_", ""),))
    if not found:
        raise EngineError(
            failure("input_validation_failure", f"there is no run `{identity}`: see `dramaturg runs list`")
        )
    if len(found) > 1 and identity != "last" and found[0]["id"] != identity:
        raise EngineError(failure("input_validation_failure", f"`{identity}` begins the ids of several runs"))
    row = dict(found[0])
    steps, result = _steps(journal, row)
    return Run(row, _worth_showing(steps), result)


def _steps(journal: Journal, row: dict[str, Any]) -> tuple[list[Step], dict[str, Any]]:
    top: list[Step] = []
    stack: list[Step] = []
    calls: dict[int, Step] = {}
    result: dict[str, Any] = {}
    for item in journal.execute("SELECT * FROM events WHERE run = ? ORDER BY seq", (row["id"],)):
        data = whole(journal, json.loads(item["data"]))
        at = item["at"] - row["started"]
        kind = item["kind"]
        where = stack[-1].children if stack else top
        if kind == "FormEntered":
            name = data["form"] + (f", iteration {data['iteration']}" if data.get("iteration") else "")
            stack.append(Step("form", name, at, place=_place(data)))
            where.append(stack[-1])
        elif kind == "FormLeft" and stack:
            left = stack.pop()
            left.seconds, left.status = data["seconds"], "done"
        elif kind == "TaskStarted":
            calls[data["call"]] = Step("task", data["task"], at, place=_place(data), data={"inputs": data["inputs"]})
            where.append(calls[data["call"]])
        elif kind == "PromptBuilt" and data["call"] in calls:
            calls[data["call"]].data |= {"request": data["request"], "tokens": data["tokens"]}
        elif kind == "TaskFinished" and data["call"] in calls:
            step = calls[data["call"]]
            step.seconds, step.status = data["seconds"], data["status"]
            step.data["result"] = data["result"]
        elif kind == "ToolCalled":
            owner = calls.get(data.get("call") or -1)
            step = Step(
                "tool", data["tool"], at - data["seconds"], data["seconds"], data={"arguments": data["arguments"]}
            )
            step.status = "FAILED" if data["failed"] else "COMPLETE"
            (owner.children if owner is not None else where).append(step)
        elif kind == "ContextMatched":
            owner = calls.get(data.get("call") or -1)
            step = Step("context", f"{data['matches']} matches", at - data["seconds"], data["seconds"], "COMPLETE")
            (owner.children if owner is not None else where).append(step)
        elif kind in ("Warned", "Logged"):
            where.append(Step(kind.lower(), data["message"], at))
        elif kind in ("RunFinished", "RunFailed"):
            result = data["result"]
    return top, result


def _worth_showing(steps: list[Step]) -> list[Step]:
    """The steps without forms that did nothing which was written down."""
    for step in steps:
        step.children = _worth_showing(step.children)
    return [step for step in steps if step.kind != "form" or step.children or step.seconds >= 0.1]


def _place(data: dict[str, Any]) -> str:
    place = data.get("place")
    return f"{place['path']}:{place['line']}:{place['column']}" if isinstance(place, dict) else ""


def whole(journal: Journal, data: Any) -> Any:
    """JSON data with its large parts put back."""
    if isinstance(data, dict):
        if set(data) == {"$text"}:
            return journal.text(data["$text"])
        return {key: whole(journal, value) for key, value in data.items()}
    return [whole(journal, value) for value in data] if isinstance(data, list) else data


def _all(steps: list[Step]) -> list[Step]:
    return [found for step in steps for found in (step, *_all(step.children))]


def difference(left: Run, right: Run) -> list[str]:
    """Where two runs differ, as lines: task calls aligned by their place, name and occurrence."""
    lines: list[str] = []
    before, after = _calls(left), _calls(right)
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        title = f"{key[1]}" + (f" at {key[0]}" if key[0] else "") + (f", call {key[2] + 1}" if key[2] else "")
        if old is None or new is None:
            lines.append(f"{title}: only in {(left if new is None else right).row['id']}")
            continue
        changes = _changes(old, new)
        if changes:
            lines += [f"{title}:", *(f"  {line}" for line in changes)]
    if left.result.get("content") != right.result.get("content"):
        lines += ["value:", *(f"  {line}" for line in _lines(left.result.get("content"), right.result.get("content")))]
    return lines


def _calls(run: Run) -> dict[tuple[str, str, int], Step]:
    found: dict[tuple[str, str, int], Step] = {}
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for step in _all(run.steps):
        if step.kind == "task":
            number = seen[step.place, step.name]
            seen[step.place, step.name] += 1
            found[step.place, step.name, number] = step
    return found


def _changes(old: Step, new: Step) -> list[str]:
    changes: list[str] = []
    requests = [step.data.get("request") or {} for step in (old, new)]
    for name in ("model", "system", "max_tokens", "tools"):
        if requests[0].get(name) != requests[1].get(name):
            changes += [f"{name}:", *_lines(requests[0].get(name), requests[1].get(name))]
    prompts = ["\n".join(str(item["content"]) for item in request.get("messages", ())) for request in requests]
    if prompts[0] != prompts[1]:
        changes += ["prompt:", *_lines(*prompts)]
    answers = [(step.data.get("result") or {}).get("content") for step in (old, new)]
    if answers[0] != answers[1]:
        changes += ["answer:", *_lines(*answers)]
    usage = [((step.data.get("result") or {}).get("notes") or {}).get("tokens") for step in (old, new)]
    if usage[0] != usage[1]:
        changes.append(f"tokens: {usage[0]} → {usage[1]}")
    return changes


def _lines(old: Any, new: Any) -> list[str]:
    before, after = (
        (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)).splitlines() for item in (old, new)
    )
    return list(unified_diff(before, after, "", "", "", "", 0))[2:]
