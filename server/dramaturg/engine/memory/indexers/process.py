"""Indexing in a process of its own, so that a server's other work goes on meanwhile.

`python -m dramaturg.engine.memory.indexers.process ROOT SETTINGS` fills the store;
it prints a line of JSON for each step (`{"done": …, "total": …}`) and at the end
(`{"report": …}` or `{"error": …}`). The server then takes the records from the store.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dramaturg.config import IndexSettings
from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.memory.indexers.git_repository_indexer import GitRepositoryIndexer


async def index_outside(
    root: Path, settings: IndexSettings, force: bool, step: Callable[[int, int], bool]
) -> dict[str, Any]:
    """The report of the process, as JSON; it is killed where `step` says no. Raises EngineError where it fails."""
    given = json.dumps([list(settings.include), list(settings.exclude), settings.max_file_size, force])
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        str(root),
        given,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    last: dict[str, Any] = {}
    try:
        while line := await process.stdout.readline():
            last = json.loads(line)
            if "done" in last and not step(last["done"], last["total"]):
                return {"cancelled": True}
    finally:
        if process.returncode is None and "report" not in last and "error" not in last:
            process.kill()
        await process.wait()
    if "report" not in last:
        raise EngineError(failure("context_retrieval_failure", last.get("error", "indexing ended without an answer")))
    report: dict[str, Any] = last["report"]
    return report


def main(root: str, given: str) -> None:
    """Indexes, and prints what there is to say."""
    include, exclude, size, force = json.loads(given)

    def say(**data: Any) -> None:
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()

    def step(done: int, total: int) -> bool:
        say(done=done, total=total)
        return True

    try:
        indexer = GitRepositoryIndexer(Path(root), include, exclude, size, require_repository=False, force=force)
        indexer.index(step)
    except EngineError as error:
        say(error=error.error.message)
        return
    say(report=indexer.report.as_dict())


if __name__ == "__main__":
    main(*sys.argv[1:])
