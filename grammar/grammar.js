/**
 * The workflow language of Dramaturg (`*.wf`) for tree-sitter.
 *
 * The grammar knows data only: lists, atoms and the quote family. Which lists
 * are special forms, calls or bindings is the language server's business
 * (semantic tokens), so that a local name may hide any form.
 */

// White space, and what ends a run of symbol characters.
const SPACE = ' \\t\\r\\n\\f\\v\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const DELIMITER = `${SPACE}()'";\`,\\[\\]{}`;

module.exports = grammar({
  name: 'dramaturg_workflow',

  // The last one is used nowhere: it is valid only while the parser recovers.
  externals: $ => [$.block_comment, $._string_text, $._recovering],

  extras: $ => [new RegExp(`[${SPACE}]`), $.comment, $.block_comment, $.datum_comment],

  rules: {
    source: $ => repeat($._datum),

    _datum: $ => choice(
      $.list,
      $.string,
      $.number,
      $.malformed_number,
      $.boolean,
      $.nil,
      $.symbol,
      $.quote,
      $.quasiquote,
      $.unquote,
      $.unquote_splicing,
      $.reserved_bracket,
    ),

    list: $ => seq(
      '(',
      optional(seq(field('head', $._datum), repeat(field('argument', $._datum)))),
      ')',
    ),

    quote: $ => seq("'", field('datum', $._datum)),
    quasiquote: $ => seq('`', field('datum', $._datum)),
    unquote: $ => seq(',', field('datum', $._datum)),
    unquote_splicing: $ => seq(',@', field('datum', $._datum)),

    boolean: _ => choice('true', 'false', '#t', '#f'),
    nil: _ => 'nil',

    number: _ => token(/[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/),

    // What begins like a number and is none: an error that the reader words.
    malformed_number: _ => token(new RegExp(`[+-]?\\.?[0-9][^${DELIMITER}]*`)),

    // Reserved for later versions of the language: an error that the reader words.
    reserved_bracket: _ => choice('[', ']', '{', '}'),

    symbol: _ => token(new RegExp(`[^${DELIMITER}]+`)),

    string: $ => seq(
      '"',
      repeat(choice($._string_text, $.escape_sequence, $.invalid_escape)),
      token.immediate('"'),
    ),
    escape_sequence: _ => token.immediate(prec(1, /\\([ntr"\\]|u[0-9a-fA-F]{4})/)),
    invalid_escape: _ => token.immediate(/\\[^\x00]/),

    comment: _ => token(/;[^\r\n]*/),
    datum_comment: $ => seq('#;', field('datum', $._datum)),
  },
});
