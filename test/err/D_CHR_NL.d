/* @tag: D_CHR_NL
 * @says: newline encountered in character constant
 * @line: 6
 * newline in character constant */
BEGIN { trace('a
'); }
