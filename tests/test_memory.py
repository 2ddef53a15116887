"""The memory system over real git repositories."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import git
from dramaturg.config import IndexSettings, Settings
from dramaturg.engine.errors import EngineError
from dramaturg.engine.executors.system_executors import execute_get_context, execute_read_files
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.memory.indexers.git_repository_indexer import GitRepositoryIndexer
from dramaturg.engine.memory.indexers.store import store_path
from dramaturg.engine.memory.memory_system import MemorySystem
from dramaturg.engine.session import Session
from dramaturg.engine.types import ContextGenerationInput, FreshContext

Make = Callable[[dict[str, str]], Path]
FILES = {
    "tags.py": '"""Parsing of tags."""\n\n\ndef parse_tags(text):\n    return text.split()\n',
    "shop.py": '"""Selling things."""\n\n\nclass Basket:\n    pass\n',
    "docs/tags.md": "# Tags\n\nHow tags are parsed, in prose, with many tags.\n",
    ".gitignore": "ignored.py\n",
}


def test_metadata_says_what_a_file_is(repository: Make) -> None:
    root = repository(FILES)
    index = GitRepositoryIndexer(root).index_repository(MemorySystem())
    lines = index[str(root / "tags.py")].splitlines()
    assert lines[:5] == [
        "path: tags.py",
        "size: 71 bytes, 6 lines",
        "language: Python",
        "summary: Parsing of tags.",
        "defines: parse_tags",
    ]
    assert lines[5].endswith("Test: first")


def test_git_says_which_files_there_are(repository: Make) -> None:
    root = repository(FILES)
    (root / "ignored.py").write_text("x")
    (root / "new.py").write_text("x = 1\n")
    (root / "shop.py").unlink()
    (root / "data.bin").write_bytes(b"a\0b")
    (root / "big.py").write_text("x" * 2000)
    (root / "bad.py").write_bytes(b"name = '\xff\xfe'\n")
    indexer = GitRepositoryIndexer(root, max_file_size=1000)
    names = sorted(Path(path).name for path in indexer.index())
    assert names == [".gitignore", "bad.py", "new.py", "tags.md", "tags.py"]
    assert dict(indexer.report.skipped) == {"binary": 1, "too large": 1, "not a file": 1}


def test_what_was_read_once_is_not_read_again(repository: Make) -> None:
    root = repository(FILES)
    first, second = GitRepositoryIndexer(root), GitRepositoryIndexer(root)
    first.index()
    (root / "tags.py").write_text("changed = 1\n")
    second.index()
    assert (first.report.indexed, second.report.indexed, second.report.reused) == (4, 1, 3)


def test_a_damaged_store_costs_no_more_than_reading_again(repository: Make) -> None:
    root = repository(FILES)
    GitRepositoryIndexer(root).index()
    store_path().write_bytes(b"garbled" * 100)
    for extra in ("-wal", "-shm"):
        Path(str(store_path()) + extra).unlink(missing_ok=True)
    again = GitRepositoryIndexer(root)
    assert len(again.index()) == 4


def test_folders_that_are_no_repository_and_ones_without_commits(tmp_path: Path, repository: Make) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(EngineError, match="is no git repository: run `git init` there"):
        GitRepositoryIndexer(plain)
    (plain / "a.py").write_text("x = 1\n")
    assert len(GitRepositoryIndexer(plain, require_repository=False).index()) == 1
    unborn = repository({})
    assert len(GitRepositoryIndexer(unborn).index()) == 0
    (unborn / "a.py").write_text("x = 1\n")
    assert len(GitRepositoryIndexer(unborn).index()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_left_out(repository: Make) -> None:
    root = repository(FILES)
    (root / "secret.py").write_text("x = 1\n")
    (root / "secret.py").chmod(0)
    indexer = GitRepositoryIndexer(root)
    indexer.index()
    assert indexer.report.skipped["unreadable"] == 1


def test_links_out_of_the_repository_are_not_followed(repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    (tmp_path / "outside.py").write_text("secret_outside = 1\n")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    assert str(root / "link.py") not in GitRepositoryIndexer(root).index()
    files = FileAccessManager([root])
    assert [files.read_file(path) for path in ("link.py", "../outside.py", "/etc/hostname")] == [None, None, None]
    (root / ".env").write_text("KEY=1")
    assert files.read_file(".env") is None


def test_reading_a_hostile_repository_runs_nothing(repository: Make, tmp_path: Path) -> None:
    root = repository(FILES)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "gpg.program", "diff.external", "core.sshCommand"):
        git(root, "config", key, str(trap))
    git(root, "config", "log.showSignature", "true")
    (tmp_path / "sprung").unlink(missing_ok=True)
    assert len(GitRepositoryIndexer(root).index()) == 4
    assert not (tmp_path / "sprung").exists()


def test_the_memory_system_indexes_a_repository_by_its_idl(repository: Make) -> None:
    root = repository(FILES)
    memory = MemorySystem()
    memory.index_git_repository(
        str(root), {"include_patterns": ["*.py"], "exclude_patterns": ["shop*"], "max_file_size": 1000}
    )
    assert list(memory.get_global_index()) == [str(root / "tags.py")]


async def test_matching_finds_code_before_prose(repository: Make) -> None:
    root = repository(FILES)
    found = await Session(root, Settings()).match("how are tags parsed")
    assert [Path(match.path).name for match in found.matches][:2] == ["tags.py", "tags.md"]
    assert found.matches[0].relevance == 1.0
    assert "4: def parse_tags(text):" in (found.matches[0].excerpt or "")
    assert found.context_summary.startswith("2 of 4 files match")


async def test_subjects_of_commits_count(repository: Make) -> None:
    root = repository(FILES)
    (root / "shop.py").write_text("class Basket:\n    total = 0\n")
    git(root, "commit", "--quiet", "--all", "-m", "Round prices of discounts")
    found = await Session(root, Settings()).match("rounding of discounts")
    assert Path(found.matches[0].path).name == "shop.py"


async def test_requests_for_context_never_raise(repository: Make) -> None:
    memory = MemorySystem()
    nobody = await memory.get_relevant_context_for(ContextGenerationInput(query="x"))
    assert nobody.error == "no task system: context cannot be matched"
    inherited = ContextGenerationInput(query="x", inherited_context="from above")
    disabled = await memory.get_relevant_context_for(inherited, FreshContext.DISABLED)
    assert (disabled.context_summary, disabled.matches) == ("from above", [])
    legacy = Session(repository(FILES), Settings())
    legacy.index()
    old = await legacy.task_system.memory.get_relevant_context_for({"taskText": "tags"})
    assert old.matches
    described = await legacy.task_system.memory.get_relevant_context_with_description("anything", "basket")
    assert Path(described.matches[0].path).name == "shop.py"


def test_only_absolute_paths_enter_the_index() -> None:
    with pytest.raises(EngineError, match=r"a\.py is no absolute path"):
        MemorySystem().update_global_index({"a.py": "x"})


async def test_shards_are_matched_and_joined(repository: Make) -> None:
    root = repository({f"module_{n}.py": f"def handler_{n}():\n    return 'tag {n}'\n" for n in range(20)})
    session = Session(root, Settings(index=IndexSettings()))
    session.index()
    memory = session.task_system.memory
    memory.configure_sharding(token_size_per_shard=100, max_shards=4, max_parallel_shards=2)
    memory.enable_sharding(True)
    assert len(memory._sharded_index) == 4
    assert sum(len(shard) for shard in memory._sharded_index) == 20
    found = await memory.get_relevant_context_for(ContextGenerationInput(query="handler_7"))
    assert "module_7.py" in [Path(match.path).name for match in found.matches]
    with pytest.raises(EngineError, match="max_shards"):
        memory.configure_sharding(max_shards=0)


async def test_the_executors_keep_to_their_idl(repository: Make) -> None:
    root = repository(FILES)
    session = Session(root, Settings())
    session.index()
    found = await execute_get_context({"query": "tags", "history": "before"}, session.task_system.memory)
    assert found["status"] == "COMPLETE"
    assert found["notes"]["file_paths"][0] == str(root / "tags.py")  # type: ignore[index]
    missing = await execute_get_context({}, session.task_system.memory)
    assert missing["status"] == "FAILED"
    read = execute_read_files({"file_paths": ["tags.py", "none.py"]}, session.files)
    assert read["notes"] == {"files_read_count": 1, "skipped_files": ["none.py"]}
    assert str(read["content"]).startswith("--- tags.py ---\n")
    assert execute_read_files({"file_paths": "tags.py"}, session.files)["status"] == "FAILED"
