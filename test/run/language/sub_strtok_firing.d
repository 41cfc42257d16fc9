/*@
 * what:    what one firing began no other can continue
 * stderr:  exact
 */
BEGIN { printf("%s\n", strtok("a b", " ")); exit(0); }
END { trace(strtok(NULL, " ")); }
