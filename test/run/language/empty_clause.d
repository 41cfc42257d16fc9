/*@
 * what:    a clause without statements prints its line with nothing after it
 * run:     -s %file%
 */
BEGIN {}
BEGIN { exit(0); }
END {}
