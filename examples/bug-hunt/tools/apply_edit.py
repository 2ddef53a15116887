"""Applies an edit read as JSON from standard input: {"path", "old", "new"}, `old` standing there once."""

import json
import sys
from pathlib import Path

edit = json.load(sys.stdin)
root = Path.cwd().resolve()
path = (root / edit["path"]).resolve()
if root not in path.parents:
    sys.exit(f"{edit['path']} lies outside of the workspace")
text = path.read_text(encoding="utf-8")
if text.count(edit["old"]) != 1:
    sys.exit(f"the text to replace stands {text.count(edit['old'])} times in {edit['path']}")
path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")
print(f"changed {edit['path']}")
