/* @tag: D_CHR_NULL
 * @says: character constant is empty
 * @line: 5
 * an empty character constant '' is an error */
BEGIN { trace(''); }
