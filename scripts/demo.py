"""The main job from end to end, as an editor and a shell would do it: `make demo`.

A git repository is made from the example; it is indexed; the real language
server is started over standard input and output, given a broken workflow and
asked for its diagnostics, a hover and completions; the files that matter for a
bug report are matched; and both example workflows run to their end on answers
that were written by hand. No key, no network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax

sys.path.insert(0, str(Path(__file__).parent))
from lsp_client import Client
from workspace import make_repository

BROKEN = """\
; What does this workflow get wrong?
(define report "Valid ISBN numbers are refused")

(define (plan-for text)
  (unwrap (plan-fix (reprot text))))

(let ((plan (plan-for report))
      (unused 1))
  (string-append "Cause: " (get-feild plan "cause"))
"""

console = Console(highlight=False, width=110)


def main() -> int:
    """Runs every step; 1 where one of them does not do what it should."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-demo-") as folder:
        os.environ["DRAMATURG_CACHE"] = str(Path(folder) / "cache")
        root = make_repository(Path(folder) / "bug-hunt")
        step("1. A git repository from the example", "a small Python package with a bug, a test, three templates")
        shell(root, "index")
        step("2. The language server, over stdio as an editor runs it", "a workflow with mistakes is opened")
        editor(root)
        step("3. Context matches for the bug report", "local: no model, no network")
        shell(root, "context", "Valid ISBN numbers are refused", "--limit", "3")
        step("4. Find and plan", "the answer of the model is recorded, and was written by hand")
        shell(root, "run", "find-and-plan.wf", "--replay", "recordings/find-and-plan.jsonl")
        step("5. Fix until green", "edits the copy and runs its tests; again on hand-written answers")
        shell(root, "run", "fix-until-green.wf", "--trust", "--replay", "recordings/fix-until-green.jsonl")
        console.print(Syntax(output(root, "git", "diff", "--unified=0", "shelf"), "diff", background_color="default"))
        console.print("[bold green]done[/]: every step did what it should")
    return 0


def step(title: str, text: str) -> None:
    """A heading."""
    console.print()
    console.rule(f"[bold]{title}[/]", align="left", style="bright_black")
    console.print(f"[bright_black]{text}[/]\n")


def output(root: Path, *command: str) -> str:
    """What a command prints; the demo ends where it fails."""
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        console.print(done.stdout + done.stderr, markup=False)
        console.print(f"[bold red]failed[/]: {' '.join(command)}")
        sys.exit(1)
    return done.stdout


def shell(root: Path, *arguments: str) -> None:
    """Runs `dramaturg` with its output shown."""
    console.print(f"[bold]$ dramaturg {' '.join(repr(a) if ' ' in a else a for a in arguments)}[/]")
    sys.stdout.flush()
    command = [sys.executable, "-m", "dramaturg", *arguments]
    done = subprocess.run(command, cwd=root, check=False, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        console.print(f"[bold red]failed[/] with exit code {done.returncode}")
        sys.exit(1)


def editor(root: Path) -> None:
    """Opens the broken workflow in the server and shows what an editor would."""
    with Client([sys.executable, "-m", "dramaturg", "lsp"], root) as client:
        uri = (root / "broken.wf").as_uri()
        console.print(Syntax(BROKEN, "clojure", line_numbers=True, background_color="default"))
        diagnostics = client.open(uri, "dramaturg-workflow", BROKEN)
        expect(len(diagnostics) >= 4, "diagnostics")
        for item in diagnostics:
            start = item["range"]["start"]
            style = {1: "red", 2: "yellow"}.get(item["severity"], "cyan")
            console.print(f"  {start['line'] + 1}:{start['character'] + 1} ", end="")
            console.print(f"[{style}]{item['code']}[/] ", end="")
            console.print(item["message"], markup=False)
        shown: dict[str, Any] = client.ask("textDocument/hover", uri, 4, 12)
        console.print()
        console.print(
            Panel(shown["contents"]["value"], title="hover on plan-fix", title_align="left", style="bright_black")
        )
        found = client.ask("textDocument/completion", uri, 4, 25)
        labels = [item["label"] for item in found["items"]]
        expect("report" in labels, "completion")
        console.print(f"completion inside `(plan-fix (|`: [bold]{', '.join(labels[:4])}[/] …")
        matches = client.command("dramaturg.contextMatches", {"query": "check digit", "limit": 1})
        console.print(f"command contextMatches 'check digit': {Path(matches['matches'][0]['path']).name}")


def expect(held: bool, what: str) -> None:
    """Ends the demo where something is missing."""
    if not held:
        console.print(f"[bold red]failed[/]: no {what} came")
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
