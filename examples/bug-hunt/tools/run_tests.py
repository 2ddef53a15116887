"""Runs the tests and prints what failed, without times, so that two runs print the same."""

import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.dont_write_bytecode = True
suite = unittest.defaultTestLoader.discover("tests", top_level_dir=".")
result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
for test, trace in [*result.failures, *result.errors]:
    print(f"{test.id()}: {trace.strip().splitlines()[-1]}")
print(f"{result.testsRun} tests, {len(result.failures) + len(result.errors)} failed")
sys.exit(0 if result.wasSuccessful() else 1)
