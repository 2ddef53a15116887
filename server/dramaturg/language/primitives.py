"""Which primitives has the language? The table that says it once."""

from __future__ import annotations

from dramaturg.language.construct import Clause, Construct


def _primitives(
    group: str, *rows: tuple[str, str, str] | tuple[str, str, str, tuple[str, ...]]
) -> tuple[Construct, ...]:
    """A row is signatures joined by ` / `, doc, example, and perhaps aliases."""
    return tuple(
        Construct(
            tuple(text.strip() for text in row[0].split(" / ")),
            row[1],
            row[2],
            group,
            "primitive",
            row[3] if len(row) > 3 else (),
        )
        for row in rows
    )


LISTS = _primitives(
    "lists",
    ("(list x ...) -> list", "A list of its arguments.", "(list 1 2) => (1 2)"),
    ("(cons x l:list) -> list", "The list with `x` before it.", "(cons 1 (list 2)) => (1 2)"),
    (
        "(first l:list)",
        "The first member; an error where there is none.",
        "(first (list 1 2)) => 1",
        ("car",),
    ),
    ("(rest l:list) -> list", "The list without its first member.", "(rest (list 1 2)) => (2)", ("cdr",)),
    ("(nth l:list n:integer)", "The member at place `n`, from 0.", "(nth (list 1 2) 1) => 2"),
    ("(length x:list|string|map) -> integer", "How many members, characters or keys.", '(length "abc") => 3'),
    ("(append l:list ...) -> list", "One list of all members.", "(append (list 1) (list 2)) => (1 2)"),
    ("(reverse l:list) -> list", "The members from last to first.", "(reverse (list 1 2)) => (2 1)"),
    (
        "(range end:integer) -> list / (range start:integer end:integer &optional step:integer) -> list",
        "The integers from `start`, 0 where it is left out, up to but not including `end`.",
        "(range 1 7 2) => (1 3 5)",
    ),
    (
        "(map f:function l:list more:list ...) -> list",
        "The results of `f` on each member; with several lists, on their members side by side.",
        "(map + (list 1 2) (list 10 20)) => (11 22)",
    ),
    (
        "(filter f:function l:list) -> list",
        "The members for which `f` is true.",
        "(filter integer? (list 1 2.5)) => (1)",
    ),
    (
        "(reduce f:function init l:list)",
        "`f` over the value so far and each member in turn, from `init`.",
        "(reduce + 0 (list 1 2 3)) => 6",
    ),
    (
        "(for-each f:function l:list) -> nil",
        "Calls `f` on each member for its effect.",
        "(for-each not (list 1)) => nil",
    ),
    ("(apply f:function l:list)", "`f` called with the members as arguments.", "(apply + (list 1 2)) => 3"),
    (
        "(sort l:list &optional key-f:function) -> list",
        "The members in order, equal ones as they stood; numbers or strings, or by a key.",
        "(sort (list 3 1 2)) => (1 2 3)",
    ),
    ("(assoc k l:list)", "The first pair whose key is `k`, or nil.", "(assoc 'b '((a 1) (b 2))) => (b 2)"),
    ("(member? x l:list) -> boolean", "Whether `x` is a member.", "(member? 2 (list 1 2)) => true"),
)

MAPS = _primitives(
    "maps",
    ("(keys m:map|record|list) -> list", "The keys, as strings.", '(keys (dict (a 1))) => ("a")'),
    (
        "(values m:map|record|list) -> list",
        "The values, in the order of the keys.",
        "(values (dict (a 1))) => (1)",
    ),
    (
        "(get-field m:map|record|list|nil k:string|symbol)",
        "The value of a key of a map, a record or an association list; nil where it is missing.",
        '(get-field (dict (a 1)) "a") => 1',
    ),
    (
        "(get-in m:map|record|list|nil path:list)",
        "`get-field` along a list of keys; an integer takes a member of a list.",
        "(get-in (dict (a (dict (b 2)))) '(a b)) => 2",
    ),
    (
        "(set-field m:map|record|list k:string|symbol x) -> map",
        "A new map with the key set.",
        "(get-field (set-field (dict (a 1)) 'a 2) 'a) => 2",
    ),
    (
        "(has-field? m:map|record|list|nil k:string|symbol) -> boolean",
        "Whether the key is there.",
        "(has-field? (dict (a nil)) 'a) => true",
    ),
)

COMPARISON = _primitives(
    "comparison",
    (
        "(eq? a b) -> boolean",
        "Whether two values are the same by value; 1 and 1.0 are not.",
        "(eq? (list 1) (list 1)) => true",
        ("equal?",),
    ),
    ("(= n:number ...) -> boolean", "Whether all numbers are equal.", "(= 1 1.0) => true"),
    ("(< n:number ...) -> boolean", "Whether each number is below the next.", "(< 1 2 3) => true"),
    ("(> n:number ...) -> boolean", "Whether each number is above the next.", "(> 3 2) => true"),
    ("(<= n:number ...) -> boolean", "Whether no number is above the next.", "(<= 1 1 2) => true"),
    ("(>= n:number ...) -> boolean", "Whether no number is below the next.", "(>= 2 2 1) => true"),
)

NUMBERS = _primitives(
    "numbers",
    ("(+ n:number ...) -> number", "The sum; 0 of none.", "(+ 1 2) => 3"),
    ("(- n:number more:number ...) -> number", "The difference; one argument is negated.", "(- 5 3) => 2"),
    ("(* n:number ...) -> number", "The product; 1 of none.", "(* 2 3) => 6"),
    (
        "(/ n:number more:number ...) -> number",
        "The quotient, an integer where it is whole; one argument gives its inverse.",
        "(/ 6 3) => 2",
    ),
    ("(quotient a:integer b:integer) -> integer", "The whole quotient, towards zero.", "(quotient 7 2) => 3"),
    ("(modulo a:number b:number) -> number", "The remainder, with the sign of `b`.", "(modulo 7 3) => 1"),
    ("(min n:number more:number ...) -> number", "The least.", "(min 2 1) => 1"),
    ("(max n:number more:number ...) -> number", "The greatest.", "(max 2 1) => 2"),
    ("(abs n:number) -> number", "The number without its sign.", "(abs -2) => 2"),
    ("(round n:number) -> integer", "The nearest integer, half to even.", "(round 2.5) => 2"),
    ("(number->string n:number) -> string", "The number as text.", '(number->string 1.5) => "1.5"'),
    (
        "(string->number s:string) -> number|nil",
        "The number that the text writes, nil where it is none.",
        '(string->number "12") => 12',
    ),
)

STRINGS = _primitives(
    "strings",
    (
        "(string-append x:string|number|boolean|symbol|nil ...) -> string",
        "The texts of its arguments joined.",
        '(string-append "a" 1) => "a1"',
    ),
    (
        "(string=? a:string b:string) -> boolean",
        "Whether two strings are the same.",
        '(string=? "a" "a") => true',
    ),
    ("(string-length s:string) -> integer", "How many characters.", '(string-length "abc") => 3'),
    (
        "(substring s:string start:integer &optional end:integer) -> string",
        "The characters from `start` up to but not including `end`.",
        '(substring "abcd" 1 3) => "bc"',
    ),
    (
        "(string-split s:string sep:string) -> list",
        "The parts between the separators.",
        '(string-split "a,b" ",") => ("a" "b")',
    ),
    (
        "(string-join l:list sep:string) -> string",
        "The members' texts with the separator between.",
        '(string-join (list 1 2) ", ") => "1, 2"',
    ),
    (
        "(string-contains? s:string part:string) -> boolean",
        "Whether `part` occurs.",
        '(string-contains? "abc" "b") => true',
    ),
    (
        "(string-replace s:string old:string new:string) -> string",
        "Every `old` replaced by `new`.",
        '(string-replace "aa" "a" "b") => "bb"',
    ),
    ("(string-upcase s:string) -> string", "In capitals.", '(string-upcase "a") => "A"'),
    ("(string-downcase s:string) -> string", "In small letters.", '(string-downcase "A") => "a"'),
    ("(string-trim s:string) -> string", "Without white space at both ends.", '(string-trim " a ") => "a"'),
    (
        "(format s:string x ...) -> string",
        "The text with each `{}` replaced by the next argument.",
        '(format "{} of {}" 1 2) => "1 of 2"',
    ),
    ("(json-parse s:string)", "The value that JSON text stands for.", '(json-parse "[1, null]") => (1 nil)'),
    (
        "(json-stringify x) -> string",
        "The value as JSON text.",
        '(json-stringify (list 1 nil)) => "[1,null]"',
    ),
)

PREDICATES = _primitives(
    "predicates",
    ("(null? x) -> boolean", "Whether it is nil or the empty list.", "(null? '()) => true", ("nil?",)),
    ("(list? x) -> boolean", "Whether it is a list.", "(list? '()) => true"),
    ("(string? x) -> boolean", "Whether it is a string.", '(string? "a") => true'),
    ("(number? x) -> boolean", "Whether it is a number.", "(number? 1.5) => true"),
    ("(integer? x) -> boolean", "Whether it is an integer.", "(integer? 1.5) => false"),
    ("(boolean? x) -> boolean", "Whether it is true or false.", "(boolean? false) => true"),
    ("(symbol? x) -> boolean", "Whether it is a symbol.", "(symbol? 'a) => true"),
    ("(function? x) -> boolean", "Whether it can be called.", "(function? +) => true"),
    ("(map? x) -> boolean", "Whether it is a map.", "(map? (dict)) => true"),
    ("(not x) -> boolean", "True of what is false.", "(not nil) => true"),
)

EFFECTS = _primitives(
    "effects",
    (
        "(log-message x ...) -> string",
        "Writes to the run's log and returns the text.",
        '(log-message "n = " 1) => "n = 1"',
    ),
    (
        "(error message:string &optional details:map|nil)",
        "Stops with an error that `try` may catch.",
        '(try (error "no") (catch (e) "caught")) => "caught"',
    ),
    (
        "(unwrap r:record|map)",
        "The parsed content of a COMPLETE task result, else its content; raises the error of a FAILED one.",
        '(unwrap (system:run_script (command "echo hi")))',
    ),
)


def _clause_form(
    text: str, doc: str, example: str, group: str, clauses: tuple[Clause, ...], *aliases: str
) -> Construct:
    return Construct((text,), doc, example, group, "clause-form", aliases, clauses, 0 if clauses else 1)


_MATCHING = (
    Clause("(query text:string)", "What to look for.", required=True),
    Clause("(inputs m:map)", "Inputs that count as further signals."),
    Clause("(history text:string)", "The conversation so far."),
    Clause("(target_files paths:list)", "Files that are likely to matter."),
    Clause("(inherited_context text:string)", "Context of the caller."),
    Clause("(previous_outputs text:string)", "What earlier steps produced."),
    Clause(
        "(matching_strategy name:string)",
        "Whether files' content or their metadata is matched.",
        values=('"content"', '"metadata"'),
    ),
)

CLAUSE_FORMS = (
    _clause_form(
        "(dict (key value) ...) -> map",
        "A map; keys are literal symbols or strings.",
        '(get-field (dict (name "a") (size 2)) \'size) => 2',
        "maps",
        (),
    ),
    _clause_form(
        "(get_context clause:clause ...) -> list",
        "The absolute paths of the files that matter for a query, best first; raises where matching fails.",
        '(get_context (query "where are tags parsed"))',
        "context",
        _MATCHING,
        "get-context",
    ),
    _clause_form(
        "(context-matches clause:clause ...) -> record",
        "The whole result of matching: a summary, the matches, and an error where it failed.",
        '(get-field (context-matches (query "where are tags parsed")) "matches")',
        "context",
        _MATCHING,
    ),
    _clause_form(
        "(call name (input value) ...)",
        "Calls a task or a tool by a computed name.",
        '(call (string-append "system:" "read_files") (file_paths (list "README.md")))',
        "calls",
        (),
    ),
    _clause_form(
        "(atomic-task name (input value) ...) -> result",
        "Calls an atomic task by its name, written as a symbol or a string.",
        '(atomic-task summarize (text "..."))',
        "calls",
        (),
    ),
    _clause_form(
        "(direct-tool name (input value) ...) -> result",
        "Calls a tool by its name, written as a symbol or a string.",
        '(direct-tool system:read_files (file_paths (list "README.md")))',
        "calls",
        (),
    ),
    _clause_form(
        "(assert test &optional message:string)",
        "An error where the test is false, showing the values in it; true otherwise.",
        "(assert (= 1 1)) => true",
        "effects",
        (),
    ),
)

PRIMITIVES = (*LISTS, *MAPS, *COMPARISON, *NUMBERS, *STRINGS, *PREDICATES, *EFFECTS, *CLAUSE_FORMS)
