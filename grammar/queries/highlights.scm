; Data only: what a list means is the language server's business (semantic tokens).
; The names below are the language's own, so that an editor without the server shows them too.

(comment) @comment
(block_comment) @comment
(datum_comment) @comment

(string) @string
(escape_sequence) @string.escape
(invalid_escape) @error
(number) @number
(malformed_number) @error
(boolean) @boolean
(nil) @constant.builtin
(reserved_bracket) @error

["(" ")"] @punctuation.bracket
["'" "`" "," ",@" "#;"] @operator

(quote datum: (symbol) @string.special.symbol)

(list head: (symbol) @function.call)

; generated from server/dramaturg/language: a test compares them
(list head: (symbol) @keyword
  (#any-of? @keyword
    "quote"
    "quasiquote"
    "unquote"
    "unquote-splicing"
    "if"
    "cond"
    "when"
    "unless"
    "and"
    "or"
    "progn"
    "begin"
    "repeat"
    "loop"
    "while"
    "try"
    "let"
    "let*"
    "letrec"
    "define"
    "bind"
    "lambda"
    "set!"
    "director-evaluator-loop"
    "director-loop"
    "iterative-loop"
    "sequential"
    "reduce-task"
    "pmap"
    "defatom"
    "load"
    "deftest"))

(list head: (symbol) @function.builtin
  (#any-of? @function.builtin
    "list"
    "cons"
    "first"
    "car"
    "rest"
    "cdr"
    "nth"
    "length"
    "append"
    "reverse"
    "range"
    "map"
    "filter"
    "reduce"
    "for-each"
    "apply"
    "sort"
    "assoc"
    "member?"
    "keys"
    "values"
    "get-field"
    "get-in"
    "set-field"
    "has-field?"
    "eq?"
    "equal?"
    "="
    "<"
    ">"
    "<="
    ">="
    "+"
    "-"
    "*"
    "/"
    "quotient"
    "modulo"
    "min"
    "max"
    "abs"
    "round"
    "number->string"
    "string->number"
    "string-append"
    "string=?"
    "string-length"
    "substring"
    "string-split"
    "string-join"
    "string-contains?"
    "string-replace"
    "string-upcase"
    "string-downcase"
    "string-trim"
    "format"
    "json-parse"
    "json-stringify"
    "null?"
    "nil?"
    "list?"
    "string?"
    "number?"
    "integer?"
    "boolean?"
    "symbol?"
    "function?"
    "map?"
    "not"
    "log-message"
    "error"
    "unwrap"
    "dict"
    "get_context"
    "get-context"
    "context-matches"
    "call"
    "atomic-task"
    "direct-tool"
    "assert"))

(list
  head: (symbol) @_define
  .
  argument: (list head: (symbol) @function)
  (#eq? @_define "define"))

(list
  head: (symbol) @_define
  .
  argument: (symbol) @function
  (#any-of? @_define "defatom" "deftest"))

((symbol) @variable.builtin
  (#any-of? @variable.builtin "*loop-config*" "last_evaluator_output"))
