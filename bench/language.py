"""How fast are the language core, templates and the server on this machine? `make bench`

Prints each figure with its goal beside it: CPU time of the best of some rounds, or for
the server what `server.py` says; machines differ, so compare two states in one sitting.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dramaturg.__main__ import collect_seldom
from dramaturg.analysis.document import problems
from dramaturg.analysis.forms import forget
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings
from dramaturg.engine.session import Session
from dramaturg.ide.hover import hover
from dramaturg.syntax.workflow import forget as forget_trees

FORM = """(define (step-{n} topic depth)
  ; plan, then join what comes of it
  (let* ((plan (plan-task (topic topic) (depth (+ depth 1))))
         (items (get-field (get-field plan "parsedContent") "items")))
    (if (null? items)
        (error "no items" (dict (topic topic)))
        (unwrap (join-task (items items))))))
"""
ATOMS = """(defatom plan-task (params topic depth) (instructions "{{topic}} {{depth}}"))
(defatom join-task (params items) (instructions "{{items}}"))
"""
PATH = "/bench/large.wf"


def snapshot(text: str) -> tuple[Document, Snapshot]:
    """A workspace that holds one workflow."""
    document = Document(PATH, "workflow", text)
    return document, Snapshot(Path("/bench"), {PATH: document})


def best(action: Callable[[], object], rounds: int = 5) -> float:
    """The least CPU time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return 1000 * min(times)


def run(source: str) -> None:
    """Evaluates a workflow to its end."""
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(Session(Path(folder), Settings()).run_workflow(source, "bench.wf"))
    assert result.status == "COMPLETE", result.content


def main() -> int:
    """Measures and prints; `--json` for data."""
    collect_seldom()
    text = "".join(FORM.format(n=n) for n in range(10_000 // 8)) + ATOMS
    document, held = snapshot(text)
    middle = text.index("(null? items)", len(text) // 2)

    def first_open() -> None:
        forget()
        forget_trees()
        problems(*snapshot(text))

    state = [0]

    last = [(document, held)]
    problems(document, held)

    def edit() -> None:
        state[0] += 1
        before, around = last[0]
        after = before.edited(text[:middle] + " " * (state[0] % 7) + text[middle:])
        last[0] = (after, around.with_document(after))
        problems(*last[0])

    rows = [
        ("first open of 10,000 lines → findings", best(first_open), 400.0),
        ("one edit in 10,000 lines → findings", best(edit, 10), 8.0),
        ("hover", best(lambda: hover(document, held, middle + 2), 20), 2.0),
        ("a million primitive calls", best(lambda: run("(repeat 1000000 (+ 1 2))"), 3), 2000.0),
        (
            "a million tail calls",
            best(lambda: run("(let loop ((i 0)) (if (= i 1000000) i (loop (+ i 1))))"), 3),
            2000.0,
        ),
    ]
    import server
    import templates

    rows += templates.measure()
    rows += server.measure()
    if "--json" in sys.argv:
        print(json.dumps([{"figure": name, "ms": round(ms, 2), "must_ms": must} for name, ms, must in rows]))  # noqa: T201
        return 0
    table = Table(box=None, header_style="dim")
    table.add_column("figure")
    table.add_column("ms", justify="right")
    table.add_column("must", justify="right")
    for name, ms, must in rows:
        table.add_row(name, f"[{'green' if ms <= must else 'red'}]{ms:.1f}[/]", f"{must:g}")
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
