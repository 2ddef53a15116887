"""What do `dramaturg runs list`, `show`, `diff` and `export` print?"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from dramaturg.cli.output import DONE, FOUND, cannot, out, print_json, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.runs.history import Run, Step, difference, rows, run_of
from dramaturg.engine.runs.journal import Journal
from dramaturg.engine.runs.page import page


def _journal(root: Path | None) -> Journal | None:
    found, _ = workspace(root)
    journal = Journal(found)
    return journal if journal.path.exists() else None


def list_runs(root: Path | None, limit: int, as_json: bool) -> int:
    """The last runs."""
    journal = _journal(root)
    found = rows(journal, limit) if journal is not None else []
    if as_json:
        print_json(found)
        return DONE
    if not found:
        out.print("no runs are logged in this workspace yet")
        return DONE
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column, width in (("run", 12), ("started", 14), ("status", 9), ("seconds", 7), ("tokens", 6), ("cost", 8)):
        right = column in ("seconds", "tokens", "cost")
        table.add_column(column, justify="right" if right else "left", no_wrap=True, min_width=width)
    table.add_column("name", no_wrap=True, overflow="ellipsis")
    for row in found:
        ended = row["ended"]
        style = {"COMPLETE": "good", "FAILED": "error"}.get(row["status"], "warning")
        table.add_row(
            row["id"],
            datetime.fromtimestamp(row["started"]).strftime("%m-%d %H:%M:%S"),
            f"[{style}]{row['status']}[/]",
            f"{ended - row['started']:.2f}" if ended else "",
            str(row["input_tokens"] + row["output_tokens"] or ""),
            f"${row['cost']:.4f}" if row["cost"] else "",
            escape(row["name"]),
        )
    out.print(table)
    return DONE


def show_run(identity: str, root: Path | None, as_json: bool) -> int:
    """One run as a tree of steps."""
    run = _run(identity, root)
    if isinstance(run, int):
        return run
    if as_json:
        print_json({**run.row, "steps": [_as_json(step) for step in run.steps], "result": run.result})
        return DONE
    style = "good" if run.row["status"] == "COMPLETE" else "error"
    tree = Tree(f"{escape(run.row['name'])} [{style}]{run.row['status']}[/] [dim]{run.seconds:.2f} s[/]")
    _grow(tree, run.steps)
    out.print(tree)
    if run.result.get("content"):
        out.print(run.result["content"], markup=False)
    return DONE


def _grow(tree: Tree, steps: list[Step]) -> None:
    for step in steps:
        tokens = ((step.data.get("result") or {}).get("notes") or {}).get("tokens")
        shown = f", {tokens['input']} tokens in, {tokens['output']} out" if isinstance(tokens, dict) else ""
        mark = "[error]✗[/] " if step.status == "FAILED" else ""
        time = f" [dim]{step.seconds:.2f} s{shown}[/]" if step.seconds or shown else ""
        _grow(tree.add(f"{mark}[dim]{step.kind}[/] {escape(step.name)}{time}"), step.children)


def _as_json(step: Step) -> dict[str, Any]:
    children = [_as_json(child) for child in step.children]
    return {**{key: value for key, value in vars(step).items() if key != "children"}, "children": children}


def diff_runs(left: str, right: str, root: Path | None, as_json: bool) -> int:
    """Where two runs differ; 1 where they do."""
    runs = [_run(identity, root) for identity in (left, right)]
    for run in runs:
        if isinstance(run, int):
            return run
    lines = difference(*(run for run in runs if isinstance(run, Run)))
    if as_json:
        print_json({"differences": lines})
    for line in lines if not as_json else ():
        plain = line.strip()
        style = "good" if plain.startswith("+") else "error" if plain.startswith("-") else ""
        out.print(line, style=style, markup=False)
    if not lines and not as_json:
        out.print("the same calls, answers and value")
    return FOUND if lines else DONE


def export_run(identity: str, html: Path | None, recordings: Path | None, root: Path | None) -> int:
    """Writes a run's page, or its recordings."""
    run = _run(identity, root)
    if isinstance(run, int):
        return run
    if html is None and recordings is None:
        return cannot("expected --html FILE or --recordings FILE")
    try:
        if html is not None:
            html.write_text(page(run), encoding="utf-8")
            out.print(f"wrote {html}", markup=False)
        if recordings is not None:
            journal = _journal(root)
            assert journal is not None
            entries = journal.recordings(run.row["id"]).entries
            lines = [
                json.dumps({k: v for k, v in item.items() if v != "model"}, ensure_ascii=False) for item in entries
            ]
            recordings.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            out.print(f"wrote {recordings}: {len(lines)} recordings", markup=False)
    except OSError as error:
        return cannot(f"{error.filename}: {error.strerror}")
    return DONE


def _run(identity: str, root: Path | None) -> Run | int:
    journal = _journal(root)
    if journal is None:
        return cannot("no runs are logged in this workspace yet")
    try:
        return run_of(journal, identity)
    except EngineError as error:
        return cannot(error.error.message)
