/*@
 * what:    trace() of a string: two blanks, 33 columns, longer ones whole
 * run:     -s %file%
 */
BEGIN { trace("short"); trace("a string that is longer than thirty-three columns"); trace(""); exit(0); }
