"""How do tests look to a CI that reads JUnit's XML?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from junitparser import Failure, JUnitXml, TestCase, TestSuite


def write_junit(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes the tests' outcomes, a suite for each workflow; OSError where the file cannot be written."""
    document = JUnitXml()
    for file in dict.fromkeys(row["path"] for row in rows):
        suite = TestSuite(Path(file).name)
        for row in rows:
            if row["path"] == file:
                case = TestCase(row["name"], classname=Path(file).stem)
                if row["status"] == "failed":
                    failure = Failure(row["message"], "AssertionError")
                    failure.text = f"{file}:{row['line'] + 1}: {row['message']}"
                    case.result = [failure]
                suite.add_testcase(case)
        document.add_testsuite(suite)
    document.write(str(path))
