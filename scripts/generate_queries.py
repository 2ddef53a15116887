"""Writes the language's names into the grammar's highlight query, between their markers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from dramaturg.language.construct import Table
from dramaturg.language.table import PRIMITIVE_TABLE, SPECIAL_FORMS

QUERY = Path(__file__).parent.parent / "grammar" / "queries" / "highlights.scm"


def names_of(table: Table) -> str:
    """The table's names as strings of a query, one a line."""
    return "\n".join(f'    "{name}"' for name in table)


def generated(text: str) -> str:
    """The query with both lists of names as the tables have them."""
    for capture, table in (("keyword", SPECIAL_FORMS), ("function.builtin", PRIMITIVE_TABLE)):
        pattern = re.compile(rf"(\(#any-of\? @{re.escape(capture)}\n).*?(\)\)\n)", re.DOTALL)
        text = pattern.sub(lambda match, table=table: match.group(1) + names_of(table) + match.group(2), text, count=1)
    return text


if __name__ == "__main__":
    QUERY.write_text(generated(QUERY.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
