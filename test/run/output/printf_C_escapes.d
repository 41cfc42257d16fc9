/*@
 * what:    %C prints a nonprintable character as an escape
 */
BEGIN { printf("%C%C%C%C%C%C\n", 0, 7, 65, 34, 127, 200); exit(0); }
