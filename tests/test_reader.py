"""The reader takes anything: a tree always comes out, and every span lies in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dramaturg.analysis.document import problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.template_file import read_templates
from dramaturg.syntax import chunks
from dramaturg.syntax.datum import Datum, write
from dramaturg.syntax.literals import read_integer, read_string, write_integer, write_string
from dramaturg.syntax.workflow import read
from dramaturg.text import LineIndex

PIECES = st.sampled_from(
    [
        "(",
        ")",
        '"',
        "'",
        "`",
        ",",
        ",@",
        "#;",
        "#|",
        "|#",
        ";",
        "\n",
        " ",
        "\\",
        "a",
        "let",
        "12",
        "1a",
        "é😀",
        "[",
        "#t",
        "\0",
        "\r\n",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)

ATOMS = st.one_of(
    st.integers().map(lambda n: Datum("number", 0, 0, n)),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8).map(
        lambda s: Datum("string", 0, 0, s)
    ),
    st.from_regex(r"[a-z+*!?-]{1,6}", fullmatch=True)
    .filter(lambda s: s not in ("true", "false", "nil"))
    .map(lambda s: Datum("symbol", 0, 0, s)),
    st.sampled_from([Datum("boolean", 0, 0, True), Datum("nil", 0, 0)]),
)
DATA = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4).map(lambda items: Datum("list", 0, 0, None, tuple(items)))
)


@given(TEXTS)
def test_any_text_is_read_and_checked_without_an_exception(text: str) -> None:
    reading = read(text)
    for form in reading.forms:
        assert text[form.start : form.start + len(form.text)] == form.text
        for datum in form.root.walk() if form.root else ():
            assert 0 <= datum.start <= datum.end <= len(form.text)
    document = Document("/w/a.wf", "workflow", text)
    for problem in problems(document, Snapshot(None, {"/w/a.wf": document})):
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


@given(st.lists(st.one_of(PIECES, st.just("\n(a b)\n")), max_size=30).map("".join))
def test_keeping_what_balances_by_itself_changes_no_chunk(text: str) -> None:
    kept = chunks.cut(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_balanced", lambda segment: None)
        assert kept == chunks.cut(text)


@given(DATA)
def test_what_is_written_reads_back(datum: Datum) -> None:
    (form,) = read(write(datum)).forms
    assert form.root is not None
    assert write(form.root) == write(datum)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_string_literal_reads_back(value: str) -> None:
    assert read_string(write_string(value)) == (value, [])


@pytest.mark.parametrize("digits", [1, 4000, 4001, 10_000, 30_000])
def test_integers_of_any_length_read_back(digits: int) -> None:
    text = "7" * digits
    assert write_integer(read_integer(text)) == text
    assert write_integer(-read_integer(text)) == "-" + text


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "(" * 100_000 + ")" * 100_000, '"' + "x" * 1_000_000, "a " * 50_000, "'" * 100_000, "(a\n" * 2000],
    ids=["opens", "nested", "string without end", "one long line", "quotes", "every form unclosed"],
)
def test_hostile_text_gives_an_answer(text: str) -> None:
    assert read(text).problems or len(text) == 100_000


@given(st.text(st.sampled_from("<>/=\"' atsk{}&;![]-?é\n"), max_size=60))
def test_any_template_text_is_read_without_an_exception(text: str) -> None:
    for problem in read_templates(text).problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


def test_a_lost_end_tag_costs_its_own_element_only() -> None:
    file = read_templates(
        '<task name="a" type="atomic"><description>d</description><instructions>i {{x}}<inputs><input name="x"/></inputs></task>'
    )
    assert [problem.code for problem in file.problems] == ["not-well-formed"]
    assert [item.shape.name for item in file.templates[0].template.inputs] == ["x"]


@given(st.text(max_size=40), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_positions_lead_back_to_their_offsets(text: str, encoding: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        position = lines.position(offset, encoding)  # type: ignore[arg-type]
        back = lines.offset(position.line, position.column, encoding)  # type: ignore[arg-type]
        assert back == offset or text[back:offset] in ("\r", "\n", "\r\n")
