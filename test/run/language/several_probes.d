/*@
 * what:    one clause can have several probe descriptions
 */
BEGIN, END { printf("%s\n", probename); }
BEGIN { exit(0); }
