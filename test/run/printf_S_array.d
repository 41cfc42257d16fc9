/*@
 * what:    %S of an array shows its whole size, of a string one NUL
 */
BEGIN { printf("%S %S\n", "a\tb", "q\"q"); exit(0); }
