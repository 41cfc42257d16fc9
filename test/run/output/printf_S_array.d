/*@
 * what:    %S prints all bytes of a char array, but a string only up to its NUL
 */
char letters[4];
BEGIN { letters[0] = 'x'; letters[1] = '\n'; printf("%S %S %S\n", letters, "a\tb", "q\"q"); exit(0); }
