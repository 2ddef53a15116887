"""The command line as a user meets it: exit codes, clear errors, no traceback, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[[dict[str, str]], Path]


def dramaturg(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error of the real command."""
    command = [sys.executable, "-m", "dramaturg", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def data(folder: Path, *arguments: str) -> Any:
    """What a command prints with `--json`."""
    return json.loads(dramaturg(folder, *arguments, "--json")[1])


def test_check_shows_each_finding_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text('(define (f x) (+ x "a"))\n')
    code, out, _ = dramaturg(tmp_path, "check", "a.wf")
    assert code == 1
    assert out.splitlines() == [
        "a.wf:1:20: error: `+`: argument 2: expected a number, found a string [wrong-type]",
        '    1 │ (define (f x) (+ x "a"))',
        "      │                    ^^^",
        "1 error in 1 file",
    ]


def test_check_as_json_counts_from_0_in_utf16(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text('(list "😀" missing)\n', encoding="utf-8")
    (finding,) = data(tmp_path, "check", "a.wf")
    assert finding == {
        "path": str(tmp_path / "a.wf"),
        "range": {"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 18}},
        "severity": "error",
        "code": "unbound-name",
        "message": "`missing` is not bound",
    }


def test_check_of_a_folder_sees_tasks_and_severities(tmp_path: Path) -> None:
    (tmp_path / "t.task.xml").write_text(
        '<task name="t" type="atomic"><description>d</description><instructions>i</instructions></task>'
    )
    (tmp_path / "a.wf").write_text("(t)\n(let ((x 1)) 2)\n")
    assert dramaturg(tmp_path, "check", ".")[0] == 1
    (tmp_path / "dramaturg.toml").write_text('[severities]\nunused-binding = "off"\n')
    assert dramaturg(tmp_path, "check", ".") == (0, "no findings in 2 files\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "none.wf"), "none.wf: no such file or folder"),
        (("check", "latin.wf"), "latin.wf: not UTF-8 at byte 2: save the file as UTF-8"),
        (("run", "none.wf"), "none.wf: No such file or directory"),
        (("run",), "expected one of FILE, -e EXPRESSION or --task NAME"),
        (("run", "-e", "1", "--input", "x"), "--input x: expected NAME=VALUE"),
        (("run", "-e", "1", "--replay", "none.jsonl"), "recordings cannot be read: none.jsonl"),
        (("run", "-e", "1", "--replay", "latin.wf"), "recordings cannot be read: latin.wf"),
        (("lsp", "--tcp", "0.0.0.0:1"), "expected a loopback address"),
        (("index",), "is no git repository: run `git init` there"),
        (("context", "x"), "is no git repository"),
        (("context", "x", "--root", "none"), "none: no such folder"),
    ],
)
def test_what_cannot_be_done_says_why_and_exits_with_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "latin.wf").write_bytes(b'("\xe9")')
    code, out, err = dramaturg(tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("(+ 1 2)", {"content": "3", "parsedContent": 3}),
        ('"text"', {"content": "text", "parsedContent": "text"}),
        ("nil", {"content": "nil", "parsedContent": None}),
        ('\'(a "b" 1.0)', {"content": '(a "b" 1.0)', "parsedContent": ["a", "b", 1.0]}),
        ("(dict (f first))", {"content": '(dict ("f" <primitive first>))', "parsedContent": {"f": None}}),
        ("", {"content": "nil", "parsedContent": None}),
    ],
)
def test_a_value_is_text_and_json(tmp_path: Path, source: str, expected: dict[str, Any]) -> None:
    result = data(tmp_path, "run", "-e", source)
    assert (result["status"], {key: result[key] for key in expected}) == ("COMPLETE", expected)


def test_a_failed_run_exits_with_1_and_shows_where(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text("(define (f x)\n  (/ x 0))\n(list (f 2))\n")
    code, out, err = dramaturg(tmp_path, "run", "a.wf")
    assert (code, out) == (1, "")
    assert "a.wf:2:3: failed: `/`: division by zero [TASK_FAILURE, input_validation_failure]" in err
    assert "in f at" in err
    assert "x = 2" in err
    result = data(tmp_path, "run", "-e", "(foo")
    assert (result["status"], result["notes"]["error"]["reason"]) == ("FAILED", "input_validation_failure")


def test_inputs_are_names_of_the_program(tmp_path: Path) -> None:
    assert (
        dramaturg(tmp_path, "run", "-e", "(list a b)", "--input", "a=[1,2]", "--input", "b=text")[1]
        == '((1 2) "text")\n'
    )


def test_index_and_context_over_a_repository(repository: Make) -> None:
    root = repository({"tags.py": "def parse_tags():\n    pass\n", "shop.py": "class Basket:\n    pass\n"})
    report = data(root, "index")
    assert {key: report[key] for key in ("files", "indexed", "reused", "skipped")} == {
        "files": 2,
        "indexed": 2,
        "reused": 0,
        "skipped": {},
    }
    assert data(root, "index")["reused"] == 2
    found = data(root, "context", "where are tags parsed", "--limit", "1")
    assert [match["path"] for match in found["matches"]] == [str(root / "tags.py")]
    code, out, _ = dramaturg(root, "context", "where are tags parsed", "--explain")
    assert code == 0
    assert out.splitlines()[0] == "██████████ 1.00 tags.py"
    assert "content +1.00" in out


def test_an_empty_repository_says_what_to_do(repository: Make) -> None:
    root = repository({})
    code, out, _ = dramaturg(root, "index")
    assert code == 0
    assert "add files" in out
    code, _, err = dramaturg(root, "context", "x")
    assert code == 2
    assert "index" in err


def test_tasks_and_preview(tmp_path: Path) -> None:
    (tmp_path / "t.task.xml").write_text(
        '<task name="greet" type="atomic"><description>Greets</description><instructions>Hi {{who}}</instructions>'
        '<inputs><input name="who"/></inputs></task>'
    )
    assert [task["name"] for task in data(tmp_path, "tasks")] == ["greet"]
    shown = data(tmp_path, "preview", "greet", "--input", "who=Ada")
    assert shown["request"]["messages"] == [{"role": "user", "content": "Hi Ada"}]
    assert dramaturg(tmp_path, "preview", "gret")[2].strip() == "error: task `gret` not found; did you mean `greet`?"


def test_fmt_lays_out_and_checks(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text("(if x\n(yes)\n(no))")
    assert dramaturg(tmp_path, "fmt", "--check", ".") == (1, "would change a.wf\n", "")
    assert dramaturg(tmp_path, "fmt", ".") == (0, "changed a.wf\n", "")
    assert (tmp_path / "a.wf").read_text() == "(if x\n    (yes)\n    (no))\n"
    assert data(tmp_path, "fmt", "--check", "a.wf") == []
    (tmp_path / "b.wf").write_text("(a")
    code, _, err = dramaturg(tmp_path, "fmt", ".")
    assert code == 1
    assert "b.wf has syntax errors" in err


def test_tests_beside_a_workflow(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text(
        """(define (twice x) (* 2 x))
(error "never evaluated by tests")
(deftest doubles (assert (= (twice 2) 4)))
(deftest fails
  (define y 5)
  (assert (= (twice y) 11)))
(deftest raises (first (list)))
"""
    )
    code, out, _ = dramaturg(tmp_path, "test")
    assert code == 1
    assert out.splitlines() == [
        "passed doubles",
        "failed fails",
        "       a.wf:6: assertion failed: (= (twice y) 11); (twice y) is 10",
        "failed raises",
        "       a.wf:7: `first`: the list is empty",
        "1 passed, 2 failed",
    ]
    found = data(tmp_path, "test", "a.wf")
    assert (found["passed"], found["failed"], found["tests"][1]["line"]) == (1, 2, 5)
    assert dramaturg(tmp_path, "run", "-e", '(deftest skipped (error "no"))')[1] == "skipped\n"


def test_no_test_sees_what_another_changed(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text(
        "(define n 1)\n(deftest first-one (set! n 2))\n(deftest second-one (assert (= n 1)))\n"
    )
    assert dramaturg(tmp_path, "test")[1].splitlines()[-1] == "2 passed, 0 failed"


def test_a_repository_that_git_refuses_costs_its_templates_only(repository: Make) -> None:
    root = repository({"t.task.xml": "<task/>"})
    (root / ".git" / "index").write_bytes(b"garbled")
    code, out, err = dramaturg(root, "run", "-e", "(+ 1 2)")
    assert (code, out) == (0, "3\n")
    assert "templates cannot be listed: git cannot list the files" in err
    assert dramaturg(root, "index")[0] == 2


def test_a_test_asks_no_model(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text('(defatom t (params x) (instructions "{{x}}"))\n(deftest asks (unwrap (t (x 1))))\n')
    request = {
        "model": "claude-sonnet-5-5",
        "system": "",
        "messages": [{"role": "user", "content": "1"}],
        "max_tokens": 8192,
    }
    assert "there are no recordings" in dramaturg(tmp_path, "test")[1]
    (tmp_path / "a.recordings.jsonl").write_text(json.dumps({"request": request, "response": {"content": "ok"}}))
    assert dramaturg(tmp_path, "test") == (0, "passed asks\n1 passed, 0 failed\n", "")


def test_docs_show_the_reference(tmp_path: Path) -> None:
    assert "(let ((name value) ...) body ...)" in dramaturg(tmp_path, "docs", "let")[1]
    assert "did you mean `lambda`?" in dramaturg(tmp_path, "docs", "lamda")[2]
    assert "unbound-name" in dramaturg(tmp_path, "docs")[1]


def test_settings_with_mistakes_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "dramaturg.toml").write_text('modle = "x"\n[limits]\ntimeout = "long"\n')
    err = dramaturg(tmp_path, "run", "-e", "1")[2]
    assert "unknown key `modle`; did you mean `model`?" in err
    assert "`limits.timeout`: expected a whole number, 0 or more, found 'long'" in err


def test_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    import signal
    import time

    command = [sys.executable, "-m", "dramaturg", "run", "-e", '(system:run_script (command "sleep 30"))', "--trust"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
