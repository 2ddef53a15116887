"""What does `dramaturg test` run and show?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dramaturg.cli.check import files_in, read_source
from dramaturg.cli.output import DONE, FOUND, cannot, err, out, print_json, warn_of, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.recordings.entries import Recorder, read_recordings
from dramaturg.engine.session import Session
from dramaturg.engine.testing import TestOutcome


def test_paths(
    paths: list[Path], root: Path | None, trust: bool, record: bool, junit: Path | None, as_json: bool
) -> int:
    """Runs the tests of workflows, and of the workflows in folders; `record` does so for real, writing down."""
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
                found = _outcomes(file, text, root, trust, record)
            except EngineError as error:
                broken = True
                err.print("[error]error[/]:", end=" ")
                err.print(f"{file}: its definitions fail: {error.error.message}", markup=False)
                continue
            rows.extend(_row(file, outcome) for outcome in found)
    failed = sum(row["status"] == "failed" for row in rows)
    if junit is not None:
        from dramaturg.cli.junit import write_junit

        try:
            write_junit(junit, rows)
        except OSError as error:
            return cannot(f"{junit}: {error.strerror}")
    if as_json:
        print_json({"passed": len(rows) - failed, "failed": failed, "tests": rows})
    else:
        _print(rows, failed)
    return FOUND if failed or broken else DONE


def _outcomes(file: Path, text: str, root: Path | None, trust: bool, record: bool) -> list[TestOutcome]:
    found, loaded = workspace(root, file)
    session = Session(found, loaded.settings, trust)
    session.load_templates()
    warn_of(session.load_problems)
    recordings = file.with_suffix(".recordings.jsonl")
    if not record:
        session.replay(read_recordings([recordings] if recordings.is_file() else [], session.root), only=True)
        return asyncio.run(session.run_tests(text, str(file.resolve())))
    fresh = file.with_suffix(".recordings.jsonl.new")
    fresh.unlink(missing_ok=True)
    session.record(Recorder(fresh, session.root))
    try:
        outcomes = asyncio.run(session.run_tests(text, str(file.resolve())))
        # Only a run that came to its end takes the place of the recordings that were there.
        if fresh.exists():
            fresh.replace(recordings)
        else:
            recordings.unlink(missing_ok=True)
    finally:
        fresh.unlink(missing_ok=True)
    return outcomes


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
