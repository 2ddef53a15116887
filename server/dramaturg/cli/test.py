"""What does `dramaturg test` run and show?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dramaturg.cli.check import files_in, read_source
from dramaturg.cli.output import DONE, FOUND, cannot, err, out, print_json, warn_of, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.providers import recordings_provider
from dramaturg.engine.session import Session
from dramaturg.engine.testing import TestOutcome


def test_paths(paths: list[Path], root: Path | None, trust: bool, as_json: bool) -> int:
    """Runs the tests of workflows, and of the workflows in folders."""
    for path in paths:
        if not path.exists():
            return cannot(f"{path}: no such file or folder")
    rows: list[dict[str, Any]] = []
    broken = False
    for path in paths:
        for file in files_in(path) if path.is_dir() else [path]:
            if file.suffix != ".wf":
                continue
            text = read_source(file)
            if isinstance(text, int):
                return text
            if "deftest" not in text:
                continue
            try:
                found = asyncio.run(_session(file, root, trust).run_tests(text, str(file.resolve())))
            except EngineError as error:
                broken = True
                err.print("[error]error[/]:", end=" ")
                err.print(f"{file}: its definitions fail: {error.error.message}", markup=False)
                continue
            rows.extend(_row(file, outcome) for outcome in found)
    failed = sum(row["status"] == "failed" for row in rows)
    if as_json:
        print_json({"passed": len(rows) - failed, "failed": failed, "tests": rows})
    else:
        _print(rows, failed)
    return FOUND if failed or broken else DONE


def _session(file: Path, root: Path | None, trust: bool) -> Session:
    found, loaded = workspace(root, file)
    recordings = file.with_suffix(".recordings.jsonl")
    provider = recordings_provider([recordings] if recordings.is_file() else [])
    session = Session(found, loaded.settings, trust, provider)
    session.load_templates()
    warn_of(session.load_problems)
    return session


def _row(file: Path, outcome: TestOutcome) -> dict[str, Any]:
    place = outcome.failed_at or outcome.place
    return {
        "name": outcome.name,
        "path": str(file.resolve()),
        "line": place.line - 1,
        "status": outcome.status,
        "message": outcome.message,
    }


def _print(rows: list[dict[str, Any]], failed: int) -> None:
    for row in rows:
        passed = row["status"] == "passed"
        out.print("[good]passed[/]" if passed else "[error]failed[/]", end=" ")
        out.print(row["name"], markup=False)
        if not passed:
            out.print(f"       {Path(row['path']).name}:{row['line'] + 1}: {row['message']}", markup=False)
    out.print(f"{len(rows) - failed} passed, {failed} failed")
