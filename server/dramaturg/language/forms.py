"""Which special forms has the language? The table that says it once."""

from __future__ import annotations

from dramaturg.language.construct import Clause, Construct


def _form(
    text: str,
    doc: str,
    example: str,
    group: str,
    *more: str,
    body: int = -1,
    aliases: tuple[str, ...] = (),
    clauses: tuple[Clause, ...] = (),
    top_level_only: bool = False,
) -> Construct:
    return Construct((text, *more), doc, example, group, "form", aliases, clauses, body, top_level_only)


_CONTEXT_CLAUSES = (
    Clause(
        "(inherit_context setting:symbol)",
        "How much of the surrounding context a step sees.",
        values=("full", "none", "subset"),
    ),
    Clause(
        "(accumulate_data setting:boolean)",
        "Whether later steps receive what earlier ones produced.",
        values=("true", "false"),
    ),
    Clause(
        "(accumulation_format setting:symbol)",
        "What is kept of an earlier step: all of its output, or its notes.",
        values=("full_output", "notes_only"),
    ),
    Clause(
        "(fresh_context setting:symbol)",
        "Whether context is looked up anew for each task call.",
        values=("enabled", "disabled"),
    ),
)

#: Settings of `(context ...)`, in forms as in task calls.
CONTEXT_SETTINGS = {clause.name: clause for clause in _CONTEXT_CLAUSES}

_COUNT = Clause("(max-iterations n:integer)", "The most iterations; 0 gives nil.", required=True, start="10")
_EXECUTOR = Clause(
    "(executor f:function)", "Does the work of one iteration.", required=True, start="(lambda (plan i) plan)"
)
_CONTROLLER = Clause(
    "(controller f:function)",
    "Decides: `(list 'stop value)` or `(list 'continue next)`.",
    required=True,
    start="(lambda (feedback plan done i) (list 'stop done))",
)

BINDING = (
    _form(
        "(let ((name value) ...) body ...)",
        "Binds each name to its value, all values evaluated in the outer scope, and evaluates the body. "
        "With a name before the bindings the body may call itself by that name.",
        "(let ((x 2) (y 3)) (* x y)) => 6",
        "binding",
        "(let name ((name value) ...) body ...)",
        body=1,
    ),
    _form(
        "(let* ((name value) ...) body ...)",
        "Binds names one after another, each value seeing the names before it.",
        "(let* ((x 2) (y (+ x 1))) (* x y)) => 6",
        "binding",
        body=1,
    ),
    _form(
        "(letrec ((name value) ...) body ...)",
        "Binds names that may refer to one another, as mutually recursive functions do.",
        "(letrec ((even (lambda (n) (or (= n 0) (odd (- n 1))))) (odd (lambda (n) (and (> n 0) (even (- n 1)))))) "
        "(even 10)) => true",
        "binding",
        body=1,
    ),
    _form(
        "(define name value)",
        "Binds a name, or a function with its parameters, in the current scope and returns the name.",
        "(define (twice x) (* 2 x)) (twice 21) => 42",
        "binding",
        "(define (name parameter ...) body ...)",
        body=1,
    ),
    _form(
        "(bind name value)",
        "Binds a name in the current scope and returns the value.",
        "(bind x 5) => 5",
        "binding",
    ),
    _form(
        "(lambda (parameter ...) body ...)",
        "A function that remembers the scope it is written in; `. rest` takes the remaining arguments as a list.",
        "((lambda (x . more) (list x more)) 1 2 3) => (1 (2 3))",
        "binding",
        body=1,
    ),
    _form(
        "(set! name value)",
        "Changes the nearest existing binding and returns the new value.",
        "(let ((x 1)) (set! x 2) x) => 2",
        "binding",
    ),
)

CONTROL = (
    _form("(quote datum)", "The datum itself, unevaluated; `'datum` for short.", "'(a 1) => (a 1)", "quotation"),
    _form(
        "(quasiquote datum)",
        "The datum, with what stands under `,` evaluated and what stands under `,@` spliced in.",
        "`(1 ,(+ 1 1) ,@(list 3 4)) => (1 2 3 4)",
        "quotation",
    ),
    _form(
        "(unquote value)",
        "Inside a quasiquotation: the value of the expression.",
        "`(1 ,(+ 1 1)) => (1 2)",
        "quotation",
    ),
    _form(
        "(unquote-splicing list)",
        "Inside a quasiquotation: the members of the list.",
        "`(1 ,@(list 2 3)) => (1 2 3)",
        "quotation",
    ),
    _form(
        "(if test then &optional else)",
        "One of two branches by the test; a missing branch is nil.",
        '(if (> 2 1) "yes" "no") => "yes"',
        "control",
    ),
    _form(
        "(cond (test value ...) ...)",
        "The first clause whose test is true; `else` as the last test is always true.",
        '(cond ((> 1 2) "a") (else "b")) => "b"',
        "control",
        body=0,
    ),
    _form(
        "(when test body ...)",
        "The body where the test is true, else nil.",
        "(when true 1 2) => 2",
        "control",
        body=1,
    ),
    _form(
        "(unless test body ...)",
        "The body where the test is false, else nil.",
        "(unless false 1) => 1",
        "control",
        body=1,
    ),
    _form(
        "(and value ...)",
        "The first false value, or the last one; true where there is none.",
        "(and 1 2) => 2",
        "control",
    ),
    _form(
        "(or value ...)",
        "The first true value, or the last one; false where there is none.",
        "(or nil 2) => 2",
        "control",
    ),
    _form(
        "(progn body ...)",
        "Evaluates in order and gives the last value.",
        "(progn 1 2) => 2",
        "control",
        body=0,
        aliases=("begin",),
    ),
    _form(
        "(repeat n:integer body ...)",
        "Evaluates the body n times and gives the last value, nil for 0.",
        "(let ((x 0)) (repeat 3 (set! x (+ x 1)))) => 3",
        "control",
        body=1,
    ),
    _form(
        "(loop n:integer body)",
        "The older name of `repeat`, with exactly one body.",
        "(loop 2 7) => 7",
        "control",
        body=1,
    ),
    _form(
        "(while test body ...)",
        "Evaluates the body as long as the test is true; an error after `max_iterations` of the configuration.",
        "(let ((n 3) (sum 0)) (while (> n 0) (set! sum (+ sum n)) (set! n (- n 1))) sum) => 6",
        "control",
        body=1,
    ),
    _form(
        "(try body ... (catch (name) handler ...))",
        "The body's value, or the handler's where the body fails; the name is bound to a map with "
        "`type`, `reason`, `message` and `details`.",
        '(try (error "no") (catch (e) (get-field e "message"))) => "no"',
        "control",
        body=0,
    ),
)

COMPOSITION = (
    _form(
        "(director-evaluator-loop clause:clause ...)",
        "Plan, execute, evaluate and decide, up to a number of times; the value is the one the controller stops with, "
        "or the last executor's result.",
        "(director-evaluator-loop (max-iterations 3) (initial-director-input 1) (director (lambda (x i) (* x 10))) "
        "(executor (lambda (plan i) (+ plan i))) (evaluator (lambda (done plan i) (> done 10))) "
        "(controller (lambda (ok plan done i) (if ok (list 'stop done) (list 'continue 5))))) => 11",
        "composition",
        body=0,
        aliases=("director-loop",),
        clauses=(
            _COUNT,
            Clause(
                "(initial-director-input value)",
                "What the first iteration's director receives.",
                required=True,
            ),
            Clause(
                "(director f:function)",
                "Called with the input and the iteration's number; returns the plan.",
                required=True,
                start="(lambda (input i) input)",
            ),
            _EXECUTOR,
            Clause(
                "(evaluator f:function)",
                "Called with the result, the plan and the iteration's number; returns the feedback.",
                required=True,
                start="(lambda (done plan i) done)",
            ),
            _CONTROLLER,
            Clause(
                "(script command)",
                "A command that runs after the executor; its output reaches the evaluator.",
            ),
        ),
    ),
    _form(
        "(iterative-loop clause:clause ...)",
        "Execute, validate and decide, up to a number of times.",
        '(iterative-loop (max-iterations 3) (initial-input 1) (test-command "t") (executor (lambda (x i) (* x 2))) '
        "(validator (lambda (command i) i)) (controller (lambda (done ok x i) (if (> done 5) (list 'stop done) "
        "(list 'continue done))))) => 8",
        "composition",
        body=0,
        clauses=(
            _COUNT,
            Clause("(initial-input value)", "What the first iteration's executor receives.", required=True),
            Clause("(test-command value)", "What the validator receives each time.", required=True),
            _EXECUTOR,
            Clause(
                "(validator f:function)",
                "Called with the test command and the iteration's number.",
                required=True,
                start="(lambda (command i) command)",
            ),
            _CONTROLLER,
        ),
    ),
    _form(
        "(sequential clause:clause ...)",
        "Steps one after another, each value bound to its step's name for the later ones; the value is the last step's.",
        "(sequential (step a 1) (step b (+ a 1))) => 2",
        "composition",
        body=0,
        clauses=(
            Clause(
                "(context setting:clause ...)",
                "What later steps receive of the context and of earlier steps.",
            ),
            Clause(
                "(step name value)",
                "One step, its name bound for the later ones.",
                required=True,
                repeats=True,
            ),
        ),
    ),
    _form(
        "(reduce-task clause:clause ...)",
        "For each item the inner function, then the reduction over its result and what was reduced so far.",
        "(reduce-task (inputs (list 1 2 3)) (initial 0) (inner (lambda (x acc) (* x x))) "
        "(reduction (lambda (r acc) (+ r acc)))) => 14",
        "composition",
        body=0,
        clauses=(
            Clause("(inputs items:list)", "The items.", required=True),
            Clause("(initial value)", "What the first reduction starts from.", required=True),
            Clause("(context setting:clause ...)", "What the calls inside inherit; nothing is ever accumulated."),
            Clause(
                "(inner f:function)",
                "Called with an item and the value so far.",
                required=True,
                start="(lambda (item acc) item)",
            ),
            Clause(
                "(reduction f:function)",
                "Called with the inner result and the value so far.",
                required=True,
                start="(lambda (result acc) result)",
            ),
        ),
    ),
    _form(
        "(pmap f:function items:list &optional (concurrency n:integer))",
        "Maps with up to n calls in flight, results in order; the first failure cancels the rest.",
        "(pmap (lambda (x) (* x x)) (list 1 2 3)) => (1 4 9)",
        "composition",
        clauses=(
            Clause("(concurrency n:integer)", "How many calls may be in flight; the configuration's by default."),
        ),
    ),
)

DEFINITIONS = (
    _form(
        "(defatom name (params parameter ...) (instructions text) clause:clause ...)",
        "Defines and registers an atomic task; a parameter is `p`, `(p)`, `(p type)` or `(p optional type)`.",
        '(defatom greet (params (who string)) (instructions "Greet {{who}}.")) => greet',
        "definition",
        body=1,
        top_level_only=True,
        clauses=(
            Clause("(params parameter ...)", "The task's inputs.", required=True),
            Clause("(instructions text:string)", "The prompt, with `{{input}}` for inputs.", required=True),
            Clause("(system text:string)", "The system prompt, after the configuration's base prompt."),
            Clause("(model name:string)", "The model, where it is not the configuration's."),
            Clause("(provider name:string)", "The provider, where it is not the configuration's."),
            Clause("(description text:string)", "What the task is for."),
            Clause(
                "(subtype name:symbol|string)",
                "The kind of atomic task.",
                values=("standard", "subtask", "director", "evaluator", "associative_matching"),
            ),
            Clause("(output_format pair:clause ...)", '`(type "json")` or `(type "text")`, and a `(schema ...)`.'),
            Clause("(context_management setting:clause ...)", "The task's context settings."),
            Clause("(history_config setting:clause ...)", "How much of the conversation a call keeps."),
            Clause("(files path:string ...)", "Files that every call's prompt contains."),
            Clause("(limits limit:clause ...)", "Turns, context window, time and output allowed."),
        ),
    ),
    _form(
        "(load path:string)",
        "Evaluates another workflow of the workspace once; its definitions are visible after it.",
        '(load "lib.wf")',
        "definition",
        top_level_only=True,
    ),
    _form(
        "(deftest name body ...)",
        "A test that `dramaturg test` runs in a fresh scope, answered from recordings.",
        "(deftest adds (assert (= (+ 1 1) 2))) => adds",
        "definition",
        body=1,
        top_level_only=True,
    ),
)

FORMS = (*CONTROL, *BINDING, *COMPOSITION, *DEFINITIONS)
