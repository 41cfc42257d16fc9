/* @tag: D_CHR_OFLOW
 * @says: character constant is too long: at most 8 bytes
 * @line: 5
 * a character constant of more than 8 bytes is an error */
BEGIN { trace('abcdefghi'); }
