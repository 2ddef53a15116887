"""Every case file, fence by fence."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_files import Expectation, actual, expectations

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.rglob("*.md"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CASES)))
def test_case(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    found = expectations(path)
    assert found, "a case file without expectations says nothing"
    came = [(case, actual(case, tmp_path)) for case in found]
    if request.config.getoption("--update"):
        path.write_text(_updated(path.read_text(encoding="utf-8"), came), encoding="utf-8")
        return
    for case, text in came:
        assert text == case.text, f"{path.name}, {case.heading}:\n{case.source}"


def _updated(text: str, came: list[tuple[Expectation, str]]) -> str:
    for case, new in reversed(came):
        text = text[: case.start] + new + text[case.end :]
    return text
