/* @tag: D_CHR_NULL
 * @says: character constant is empty
 * @line: 5
 * '' */
BEGIN { trace(''); }
