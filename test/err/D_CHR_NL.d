/* @tag: D_CHR_NL
 * newline in character constant */
BEGIN { trace('a
'); }
