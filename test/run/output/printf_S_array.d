/*@
 * what:    %S prints an array in its whole size, and a string up to one NUL
 */
char letters[4];
BEGIN { letters[0] = 'x'; letters[1] = '\n'; printf("%S %S %S\n", letters, "a\tb", "q\"q"); exit(0); }
