/* @tag: D_STR_NL
 * @says: newline encountered in string literal
 * @line: 6
 * a newline in a string literal is an error */
BEGIN { trace("a
"); }
