/*@
 * what:    without -q, printa() prints its output after the CPU, ID and probe columns, with only the newlines of its format
 * run:     -s %file%
 */
BEGIN { @ = sum(3); }
BEGIN { printa(@); exit(0); }
