/* What a regular expression cannot: nested block comments, and the text of a
 * string apart from its escapes (so that `#|` and `;` inside a string are text). */
#include "tree_sitter/parser.h"

enum TokenType { BLOCK_COMMENT, STRING_TEXT, RECOVERING };

void *tree_sitter_dramaturg_workflow_external_scanner_create(void) { return NULL; }
void tree_sitter_dramaturg_workflow_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_dramaturg_workflow_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_dramaturg_workflow_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_space(int32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static bool scan_string_text(TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\\') {
    lexer->advance(lexer, false);
    any = true;
  }
  lexer->result_symbol = STRING_TEXT;
  return any;
}

static bool scan_block_comment(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '#') return false;
  lexer->advance(lexer, false);
  if (lexer->lookahead != '|') return false;
  lexer->advance(lexer, false);
  unsigned depth = 1;
  while (depth > 0 && !lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    lexer->advance(lexer, false);
    if (c == '|' && lexer->lookahead == '#') {
      depth--;
      lexer->advance(lexer, false);
    } else if (c == '#' && lexer->lookahead == '|') {
      depth++;
      lexer->advance(lexer, false);
    }
  }
  lexer->result_symbol = BLOCK_COMMENT;
  return depth == 0;
}

bool tree_sitter_dramaturg_workflow_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  /* A comment may stand anywhere, so inside a string both are asked for: text it
   * is. While the parser recovers everything is asked for: then only comments. */
  if (valid[STRING_TEXT] && !valid[RECOVERING]) return scan_string_text(lexer);
  return valid[BLOCK_COMMENT] && scan_block_comment(lexer);
}
