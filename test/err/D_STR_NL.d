/* @tag: D_STR_NL
 * @says: newline encountered in string literal
 * @line: 6
 * newline in string */
BEGIN { trace("a
"); }
