"""What does `dramaturg docs` show?"""

from __future__ import annotations

from pathlib import Path

from rich.columns import Columns
from rich.markdown import Markdown

import dramaturg
from dramaturg.analysis.checks.rules import RULES
from dramaturg.cli.output import DONE, cannot, out
from dramaturg.language.nearest import did_you_mean
from dramaturg.language.reference import entry, names


def show_schema(kind: str) -> int:
    """The shipped schema of templates, `rng` or `xsd`."""
    path = Path(dramaturg.__file__).parent / "schemas" / f"task.{kind}"
    out.file.write(path.read_text(encoding="utf-8"))
    return DONE


def show_docs(name: str | None) -> int:
    """The entry of a name, or every name."""
    if name is None:
        out.print(Columns(list(dict.fromkeys(names(RULES))), padding=(0, 2), column_first=True))
        return DONE
    text = entry(name, RULES)
    if text is None:
        return cannot(f"nothing is called `{name}`{did_you_mean(name, names(RULES))}")
    out.print(Markdown(text) if out.is_terminal else text, markup=False)
    return DONE
