/*@
 * what:    one clause for several descriptions
 */
BEGIN, END { printf("%s\n", probename); }
BEGIN { exit(0); }
