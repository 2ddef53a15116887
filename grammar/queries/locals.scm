(source) @local.scope

(list
  head: (symbol) @_form
  (#any-of? @_form "lambda" "let" "let*" "letrec" "define" "sequential" "deftest")) @local.scope

(list
  head: (symbol) @_form
  .
  argument: (symbol) @local.definition
  (#any-of? @_form "define" "bind" "defatom"))

(list
  head: (symbol) @_form
  .
  argument: (list head: (symbol) @local.definition)
  (#eq? @_form "define"))

(symbol) @local.reference
