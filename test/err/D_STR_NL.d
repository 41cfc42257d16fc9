/* @tag: D_STR_NL
 * newline in string */
BEGIN { trace("a
"); }
