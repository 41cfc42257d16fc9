/* @tag: D_EMPTY
 * @says: empty D program translation unit
 * @line: 6
 * no clause, inline, translator or provider in the program */
int x;
