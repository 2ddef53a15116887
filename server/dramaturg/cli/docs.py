"""What does `dramaturg docs` show?"""

from __future__ import annotations

from rich.columns import Columns
from rich.markdown import Markdown

from dramaturg.analysis.checks.rules import RULES
from dramaturg.cli.output import DONE, cannot, out
from dramaturg.language.nearest import did_you_mean
from dramaturg.language.reference import entry, names


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
