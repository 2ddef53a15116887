"""What do `dramaturg context` and `dramaturg index` show?"""

from __future__ import annotations

import asyncio
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from dramaturg.cli.output import DONE, FOUND, cannot, err, out, print_json, workspace
from dramaturg.engine.errors import EngineError
from dramaturg.engine.matching.local import corpus_of
from dramaturg.engine.memory.indexers.indexed import IndexReport
from dramaturg.engine.session import Session

_BAR = 10


def _session(root: Path | None) -> Session | int:
    if root is not None and not root.is_dir():
        return cannot(f"{root}: no such folder")
    found, loaded = workspace(root)
    return Session(found, loaded.settings)


def _index(session: Session, force: bool) -> IndexReport:
    """Indexes, with a progress bar where somebody watches."""
    columns = (TextColumn("indexing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        job = bar.add_task("indexing", total=None)

        def step(done: int, total: int) -> bool:
            bar.update(job, completed=done, total=total)
            return True

        return session.index(step, force)


def show_index(root: Path | None, force: bool, as_json: bool) -> int:
    """Indexes the repository and says what was done."""
    session = _session(root)
    if isinstance(session, int):
        return session
    try:
        report = _index(session, force)
    except EngineError as error:
        return cannot(error.error.message)
    if as_json:
        print_json(report.as_dict())
        return DONE
    out.print(
        f"[name]{report.files}[/] files in {report.seconds:.2f} s: {report.indexed} read, {report.reused} known already"
    )
    for reason, count in sorted(report.skipped.items()):
        out.print(f"  {count} left out: {reason}", style="dim")
    if report.files == 0:
        out.print("  there is nothing to match yet: add files to the repository", style="warning")
    return DONE


def show_context(query: str, root: Path | None, limit: int, strategy: str | None, explain: bool, as_json: bool) -> int:
    """The files that matter for a query."""
    session = _session(root)
    if isinstance(session, int):
        return session
    try:
        _index(session, False)
    except EngineError as error:
        return cannot(error.error.message)
    found = asyncio.run(session.match(query, limit, strategy))
    if as_json:
        print_json({**found.as_dict(), "matches": [match.as_dict() for match in found.matches]})
        return DONE if found.error is None else FOUND
    if found.error is not None:
        return cannot(found.error)
    if not found.matches:
        out.print("no file matches")
        return DONE
    signals = _signals(session, query, limit) if explain else {}
    for match in found.matches:
        filled = round(match.relevance * _BAR)
        bar = "█" * filled + "░" * (_BAR - filled)
        path = Path(match.path).relative_to(session.root).as_posix()
        out.print(f"[good]{bar}[/] [dim]{match.relevance:.2f}[/] ", end="")
        out.print(path, style="name", markup=False)
        if explain:
            shares = ", ".join(f"{name} {share:+.2f}" for name, share in signals.get(match.path, {}).items())
            out.print(f"{' ' * (_BAR + 6)}{shares}", style="information", markup=False)
        for line in (match.excerpt or "").splitlines()[:4]:
            out.print(f"{' ' * (_BAR + 6)}{line[:100]}", style="dim", markup=False)
    return DONE


def _signals(session: Session, query: str, limit: int) -> dict[str, dict[str, float]]:
    scored = corpus_of(session.index_view).match(query, limit)
    return {item.file.path: item.signals for item in scored}
