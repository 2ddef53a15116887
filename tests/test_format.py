"""The formatter keeps the meaning and the comments, and has nothing to change the second time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dramaturg.ide.format import format_workflow
from dramaturg.syntax.datum import write
from dramaturg.syntax.workflow import read

GAPS = st.sampled_from(
    [" ", "  ", "\n", "\n\n\n", "\n   ", " ; note\n", "\n; own line\n", " #| block |# ", " #;(gone) ", "\t"]
)
ATOMS = st.sampled_from(
    ["a", "12", "-1.5", '"text"', '"two\nlines"', "true", "nil", "let", "if", "define", "cond", "lambda", "dict"]
)


def joined(items: list[tuple[str, str]]) -> str:
    return "".join(gap + item for gap, item in items)


PROGRAMS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(st.lists(st.tuples(GAPS, inner), max_size=5), GAPS).map(lambda t: f"({joined(t[0])}{t[1]})"),
        st.tuples(st.sampled_from(["'", "`", ",", ",@"]), inner).map("".join),
    ),
    max_leaves=25,
)
FILES = st.tuples(st.lists(st.tuples(GAPS, PROGRAMS), max_size=5), GAPS).map(lambda t: joined(t[0]) + t[1])


def data(text: str) -> list[str]:
    return [write(form.root) for form in read(text).forms if form.root is not None]


def comments(text: str) -> list[str]:
    import re

    return re.findall(r"; note|; own line|#\| block \|#|#;\(gone\)", text)


@given(FILES, st.sampled_from([20, 40, 100]))
def test_meaning_and_comments_are_kept_and_twice_is_once(text: str, width: int) -> None:
    once = format_workflow(text, width)
    assert once is not None
    assert data(once) == data(text)
    assert comments(once) == comments(text)
    assert "\n\n\n" not in once
    assert format_workflow(once, width) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(define   (f x)\n      (+ x 1))", "(define (f x)\n  (+ x 1))\n"),
        ("(let ((a 1)\n  (b 2))\n(list a\nb))", "(let ((a 1)\n      (b 2))\n  (list a\n        b))\n"),
        ("(if x\n(yes)\n(no))", "(if x\n    (yes)\n    (no))\n"),
        ("(cond ((> a 1) 2)\n(else 3))", "(cond ((> a 1) 2)\n      (else 3))\n"),
        ("(let loop ((i 0))\n(loop i))", "(let loop ((i 0))\n  (loop i))\n"),
        ("(sequential (step a 1) (step b 2))", "(sequential (step a 1) (step b 2))\n"),
        ("(sequential (step a 1)\n(step b 2))", "(sequential\n  (step a 1)\n  (step b 2))\n"),
        ("(f a) ; why\n\n\n\n; note\n(g)", "(f a)  ; why\n\n; note\n(g)\n"),
        ("(list 1 ; one\n)", "(list 1  ; one\n      )\n"),
        ("\ufeff(a)\r\n(b\r\nc)\r\n", "\ufeff(a)\r\n(b\r\n c)\r\n"),
        ("", ""),
    ],
)
def test_layout(before: str, after: str) -> None:
    assert format_workflow(before) == after


def test_a_line_that_is_too_long_is_broken_with_arguments_aligned() -> None:
    assert (
        format_workflow("(call-it (first-input 1) (second-input 2))", 30)
        == "(call-it (first-input 1)\n         (second-input 2))\n"
    )


def test_text_with_syntax_errors_is_left_alone() -> None:
    assert format_workflow("(a") is None
