/* @tag: D_CHR_OFLOW
 * @says: character constant is too long: at most 8 bytes
 * @line: 5
 * more than 8 bytes */
BEGIN { trace('abcdefghi'); }
