/*@
 * what:    %S of an array shows its whole size, of a string one NUL
 */
char letters[4];
BEGIN { letters[0] = 'x'; letters[1] = '\n'; printf("%S %S %S\n", letters, "a\tb", "q\"q"); exit(0); }
