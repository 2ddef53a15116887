"""Runs of whole workflows: scripts, cancelling, secrets, loaded files, the example."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from conftest import ROOT
from dramaturg.config import LimitSettings, Settings, load_settings
from dramaturg.engine import events
from dramaturg.engine.recordings.entries import read_recordings
from dramaturg.engine.session import Session
from workspace import make_repository


async def run(root: Path, source: str, trusted: bool = True, settings: Settings | None = None) -> str:
    result = await Session(root, settings or Settings(), trusted).run_workflow(source, str(root / "main.wf"))
    return result.content


async def test_a_script_gives_its_output_and_exit_code(tmp_path: Path) -> None:
    source = """(let ((r (system:run_script (command "sh -c 'cat; echo err >&2; exit 3'") (input "in"))))
      (list (get-field r "stdout") (get-field r "stderr") (get-field r "exitCode") (get-field r "status")))"""
    assert await run(tmp_path, source) == '("in" "err\n" 3 "COMPLETE")'


async def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    assert await run(tmp_path, '(unwrap (system:run_script (command "echo $HOME; touch x")))') == "$HOME; touch x\n"


async def test_a_script_that_takes_too_long_is_stopped_with_its_children(tmp_path: Path) -> None:
    source = "(unwrap (system:run_script (command \"sh -c 'sleep 30 & sleep 30'\") (timeout 0.2)))"
    started = time.monotonic()
    assert await run(tmp_path, source) == "the script took longer than 0.2 s"
    assert time.monotonic() - started < 10


async def test_a_script_sees_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-0123456789")
    heard: list[events.Event] = []
    session = Session(tmp_path, Settings(), True, listener=heard.append)
    source = """(define key "sk-secret-0123456789")
    (log-message (get-field (system:run_script (command "env") (input key)) "stdout"))
    (let ((inner key)) (error (string-append "it is " inner)))"""
    result = await session.run_workflow(source, "main.wf")
    assert "ANTHROPIC_API_KEY" not in str(heard)
    assert "sk-secret" not in str(result.as_dict())
    assert "sk-secret" not in str(heard)


@pytest.mark.parametrize(
    "source",
    [
        '(system:run_script (command "sleep 30"))',
        "(define (spin) (spin)) (spin)",
        '(pmap (lambda (x) (system:run_script (command "sleep 30"))) (range 4))',
    ],
    ids=["in a script", "in a loop", "in branches"],
)
async def test_a_run_can_be_cancelled_anywhere(tmp_path: Path, source: str) -> None:
    session = Session(tmp_path, Settings(), True)
    task = asyncio.create_task(session.run_workflow(source, "main.wf"))
    await asyncio.sleep(0.3)
    session.cancel()
    result = await asyncio.wait_for(task, 10)
    assert (result.status, result.content) == ("FAILED", "cancelled")


async def test_loaded_files_are_evaluated_once_and_their_names_are_visible(tmp_path: Path) -> None:
    (tmp_path / "lib.wf").write_text("(define (twice x) (* 2 x))")
    assert await run(tmp_path, '(load "lib.wf")\n(load "lib.wf")\n(twice 4)') == "8"


async def test_a_cycle_of_loads_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text('(load "b.wf")')
    (tmp_path / "b.wf").write_text('(load "a.wf")')
    assert await run(tmp_path, '(load "a.wf")') == "`load` goes round in a cycle: a.wf → b.wf → a.wf"


async def test_nothing_outside_of_the_workspace_is_loaded(tmp_path: Path) -> None:
    root = tmp_path / "inside"
    root.mkdir()
    (tmp_path / "outside.wf").write_text("1")
    assert "lies outside of the workspace" in await run(root, '(load "../outside.wf")')


async def test_limits_come_from_the_configuration(tmp_path: Path) -> None:
    settings = Settings(limits=LimitSettings(depth=50, max_iterations=3))
    assert "deeper than 50 calls" in await run(tmp_path, "(define (f n) (+ 1 (f n))) (f 1)", settings=settings)
    assert "went round 3 times" in await run(tmp_path, "(while true 1)", settings=settings)


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("find-and-plan", "- tests/test_isbn.py: add a number whose check digit is 0"),
        ("fix-until-green", "return (10 - total % 10) % 10"),
    ],
)
async def test_the_examples_run_to_their_end_on_hand_written_answers(tmp_path: Path, name: str, ends: str) -> None:
    root = make_repository(tmp_path / "bug-hunt")
    session = Session(root, load_settings(root).settings, True)
    session.replay(read_recordings([root / "recordings" / f"{name}.jsonl"], session.root))
    session.load_templates()
    path = root / f"{name}.wf"
    result = await session.run_workflow(path.read_text(encoding="utf-8"), str(path))
    assert result.status == "COMPLETE", (
        f"{result.content}\nrun `make recordings` where the prompts were meant to change"
    )
    assert result.content.endswith(ends)


def test_recordings_say_that_they_were_written_by_hand() -> None:
    for path in (ROOT / "examples" / "bug-hunt" / "recordings").glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line.startswith('{"note": "Written by hand, not by a model"')
