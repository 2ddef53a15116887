"""Tests beside workflows: recorded once for real, answered ever after without key, network, index or scripts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from messages_server import serving, text
from test_cli import data, dramaturg

Make = Callable[[dict[str, str]], Path]

WORKFLOW = """\
(define (find-and-sum question)
  (let ((matches (get-field (context-matches (query question)) "matches"))
        (listed (system:run_script (command "ls -1 src"))))
    (dict (path (get-field (first matches) "path"))
          (listed (string-trim (get-field listed "stdout")))
          (sum (string-trim (unwrap (summarize (text question))))))))

(deftest finds-and-sums
  (let ((found (find-and-sum "where are cursors moved?")))
    (assert (string-contains? (get-field found "path") "cursor.py"))
    (assert (eq? (get-field found "listed") "cursor.py"))
    (assert (eq? (get-field found "sum") "cursors"))))
"""
TEMPLATE = """\
<task name="summarize" type="atomic"><description>Sums up</description>
<instructions>Sum up: {{text}}</instructions><inputs><input name="text"/></inputs></task>
"""
FILES = {
    "main.wf": WORKFLOW,
    "sum.task.xml": TEMPLATE,
    "src/cursor.py": "def move_cursor(): ...\n",
    "notes.md": "nothing of interest\n",
}


def test_recorded_for_real_then_answered_anywhere(repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    with serving(text("cursors")) as (url, _):
        (root / "dramaturg.toml").write_text(f'base_url = "{url}"\n')
        code, out, err = dramaturg(root, "test", "main.wf", "--record", "--trust")
    assert code == 0, out + err
    lines = [json.loads(line) for line in (root / "main.recordings.jsonl").read_text().splitlines()]
    assert [line.get("kind", "model") for line in lines] == ["context", "script", "model"]
    assert lines[0]["response"]["matches"][0]["path"] == "$WORKSPACE/src/cursor.py"

    # No server, no trust, no git, another folder.
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(root, elsewhere, ignore=shutil.ignore_patterns(".git", "dramaturg.toml"))
    assert data(elsewhere, "test", "main.wf")["passed"] == 1


def test_a_miss_says_what_differs_from_the_nearest_recording(repository: Make) -> None:
    root = repository({"main.wf": '(deftest t (assert (get-field (system:run_script (command "ls -a")) "stdout")))'})
    recording = {"kind": "script", "request": {"command": "ls -b"}, "response": {}}
    (root / "main.recordings.jsonl").write_text(json.dumps(recording) + "\n")
    (test,) = data(root, "test", "main.wf")["tests"]
    assert test["status"] == "failed"
    assert "-command: ls -b" in test["message"] or "no recording answers this script" in test["message"]


def test_a_recording_run_that_fails_keeps_the_recordings_that_were_there(repository: Make) -> None:
    root = repository({"main.wf": '(define x (error "no"))\n(deftest t 1)'})
    kept = root / "main.recordings.jsonl"
    kept.write_text('{"request": {}, "response": {}}\n')
    assert dramaturg(root, "test", "main.wf", "--record")[0] == 1
    assert kept.read_text() == '{"request": {}, "response": {}}\n'
    assert list(root.glob("*.new")) == []


def test_recordings_that_cannot_be_read_are_named_with_their_line(repository: Make) -> None:
    root = repository({"main.wf": "(deftest t 1)"})
    (root / "main.recordings.jsonl").write_text('{"kind": "dream", "request": {}, "response": {}}\n')
    code, _, err = dramaturg(root, "test", "main.wf")
    assert code == 1
    assert "main.recordings.jsonl:1" in err.replace("\n", "")
