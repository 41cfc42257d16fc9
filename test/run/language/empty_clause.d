/*@
 * what:    without -q, a clause without statements prints a line without data
 * run:     -s %file%
 */
BEGIN {}
BEGIN { exit(0); }
END {}
