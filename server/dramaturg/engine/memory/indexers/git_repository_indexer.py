"""Which files does a git repository hold, and what is in them?

git itself says which files exist: tracked ones, and untracked ones that are not
ignored. Commit data of the whole repository come from one pass over the log.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING

import git
from git.exc import GitError

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.memory.indexers.indexed import Commit, IndexedFile, IndexReport, IndexView
from dramaturg.engine.memory.indexers.records import Record, path_tokens, record, text_tokens
from dramaturg.engine.memory.indexers.store import RecordStore

if TYPE_CHECKING:
    from dramaturg.engine.memory.memory_system import MemorySystem

#: Told how many files of how many are done; returns False to stop.
Progress = Callable[[int, int], bool]

_LOG_LIMIT = 20_000

#: What keeps a repository's own settings from running commands or reaching a network when it is only read.
_HARMLESS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
)

#: How many files of a folder that is no repository are looked at.
_PLAIN_LIMIT = 20_000


class GitRepositoryIndexer:
    """Indexes one repository, or the plain files of a folder that is none."""

    def __init__(
        self,
        repo_path: str | Path,
        include_patterns: list[str] | None = None,
        exclude_patterns: list[str] | None = None,
        max_file_size: int = 1_000_000,
        require_repository: bool = True,
        force: bool = False,
    ) -> None:
        self.root = Path(repo_path).resolve()
        self.include_patterns = include_patterns or []
        self.exclude_patterns = exclude_patterns or []
        self.max_file_size = max_file_size
        self.force = force
        self.report = IndexReport()
        self._repository = self._open(require_repository)

    def _open(self, required: bool) -> git.Repo | None:
        if not self.root.is_dir():
            raise EngineError(failure("context_retrieval_failure", f"{self.root} is no folder"))
        try:
            return git.Repo(self.root, search_parent_directories=True)
        except (GitError, OSError):
            if not required:
                return None
            message = f"{self.root} is no git repository: run `git init` there, or give another folder with `--root`"
            raise EngineError(failure("context_retrieval_failure", message)) from None

    def index_repository(self, memory_system: MemorySystem, progress: Progress | None = None) -> dict[str, str]:
        """Updates the memory system's index and returns absolute path → metadata."""
        view = self.index(progress)
        memory_system.update_global_index(view)
        return dict(view)

    def index(self, progress: Progress | None = None) -> IndexView:
        """The files with their records; those seen before are taken from the store."""
        started = time.perf_counter()
        listed = self.listed()
        store = RecordStore()
        known = {} if self.force else store.load({blob for _, blob in listed if blob})
        commits, subjects = self._history()
        fresh: dict[str, Record] = {}
        files: list[IndexedFile] = []
        for number, (relative, blob) in enumerate(listed):
            if progress is not None and number % 64 == 0 and not progress(number, len(listed)):
                break
            file = self._file(relative, blob, known, fresh)
            if file is None:
                continue
            file.commit = commits.get(relative)
            file.subjects = subjects.get(relative, file.subjects)
            files.append(file)
            if len(fresh) >= 1000:
                store.save(fresh)
                known.update(fresh)
                fresh = {}
        store.save(fresh)
        store.close()
        self.report.files = len(files)
        self.report.seconds = time.perf_counter() - started
        if progress is not None:
            progress(len(listed), len(listed))
        return IndexView(files)

    def _file(self, relative: str, blob: str, known: dict[str, Record], fresh: dict[str, Record]) -> IndexedFile | None:
        path = self.root / relative
        stored = known.get(blob) or fresh.get(blob) if blob else None
        if stored is None:
            try:
                if not path.is_file() or (path.is_symlink() and not path.resolve().is_relative_to(self.root)):
                    self._skip("not a file")
                    return None
                if path.stat().st_size > self.max_file_size:
                    self._skip("too large")
                    return None
                data = path.read_bytes()
            except OSError:
                self._skip("unreadable")
                return None
            if b"\0" in data[:8192]:
                self._skip("binary")
                return None
            blob = blob or sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
            stored = known.get(blob)
            if stored is None:
                stored = fresh[blob] = record(data.decode("utf-8", "replace"), len(data))
                self.report.indexed += 1
            else:
                self.report.reused += 1
        else:
            self.report.reused += 1
        if stored.size > self.max_file_size:
            self._skip("too large")
            return None
        return IndexedFile(str(path), relative, blob, stored, path_tokens=tuple(path_tokens(relative)))

    def _skip(self, reason: str) -> None:
        self.report.skipped[reason] += 1

    def listed(self) -> list[tuple[str, str]]:
        """Relative path and blob id of every file; the id is empty where the work tree differs from git's index."""
        if self._repository is None:
            return [(path, "") for path in self._plain_files() if self._wanted(path)]
        command = self._repository.git
        try:
            staged = self._git(command, "ls-files", "-s", "-z")
            changed = set(self._git(command, "ls-files", "-m", "-d", "-z").split("\0"))
            untracked = self._git(command, "ls-files", "-o", "--exclude-standard", "-z")
        except GitError as error:
            raise EngineError(
                failure("context_retrieval_failure", f"git cannot list the files: {_said(error)}")
            ) from None
        files: dict[str, str] = {}
        for entry in staged.split("\0"):
            head, _, path = entry.partition("\t")
            if path and not head.startswith("160000"):
                files[path] = "" if path in changed else head.split(" ")[1]
        for path in untracked.split("\0"):
            if path and not path.endswith("/"):
                files.setdefault(path, "")
        return [(path, blob) for path, blob in sorted(files.items()) if self._wanted(path)]

    def _git(self, command: git.cmd.Git, *arguments: str) -> str:
        output = command.execute(
            ["git", *_HARMLESS, "-C", str(self.root), *arguments],
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            env={"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"},
        )
        return os.fsdecode(output) if isinstance(output, bytes) else str(output)

    def _plain_files(self) -> list[str]:
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
            found.extend(os.path.relpath(os.path.join(folder, name), self.root) for name in sorted(names))  # noqa: PTH118
            if len(found) > _PLAIN_LIMIT:
                self.report.skipped[f"beyond the first {_PLAIN_LIMIT} files"] += len(found) - _PLAIN_LIMIT
                return found[:_PLAIN_LIMIT]
        return found

    def _wanted(self, path: str) -> bool:
        if self.include_patterns and not any(fnmatch(path, pattern) for pattern in self.include_patterns):
            self.report.skipped["not included"] += 1
            return False
        if any(fnmatch(path, pattern) for pattern in self.exclude_patterns):
            self.report.skipped["excluded"] += 1
            return False
        return True

    def _history(self) -> tuple[dict[str, Commit], dict[str, Counter[str]]]:
        """The last commit of each file, and the tokens of all subjects that touched it, from one pass over the log."""
        commits: dict[str, Commit] = {}
        subjects: dict[str, Counter[str]] = {}
        if self._repository is None or not self._repository.head.is_valid():
            return commits, subjects
        try:
            text = self._git(
                self._repository.git,
                *("log", "--no-merges", "--name-only", "--relative", "-z", f"--max-count={_LOG_LIMIT}"),
                *("--no-renames", "--format=%x01%H%x02%an%x02%at%x02%s%x02"),
            )
        except GitError:
            return commits, subjects
        for entry in text.split("\x01")[1:]:
            head, _, names = entry.rpartition("\x02")
            parts = head.split("\x02", 3)
            if len(parts) < 4:
                continue
            commit = Commit(parts[0], parts[1], int(parts[2] or 0), parts[3])
            paths = [name.strip("\n") for name in names.split("\0")]
            paths = [name for name in paths if name]
            tokens = Counter(set(text_tokens(commit.subject))) if len(paths) <= 50 else Counter[str]()
            for path in paths:
                commits.setdefault(path, commit)
                subjects.setdefault(path, Counter()).update(tokens)
        return commits, subjects


def _said(error: Exception) -> str:
    text = getattr(error, "stderr", "") or str(error)
    return " ".join(str(text).replace("stderr:", "").split())[:300]
