/* @tag: D_EMPTY
 * @says: empty D program translation unit
 * @line: 6
 * a program without clause, inline, translator or provider is an error */
int x;
