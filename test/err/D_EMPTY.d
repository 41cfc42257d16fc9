/* @tag: D_EMPTY
 * no clause, inline, translator or provider in the program */
int x;
