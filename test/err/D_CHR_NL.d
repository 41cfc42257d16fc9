/* @tag: D_CHR_NL
 * @says: newline encountered in character constant
 * @line: 6
 * a newline in a character constant is an error */
BEGIN { trace('a
'); }
