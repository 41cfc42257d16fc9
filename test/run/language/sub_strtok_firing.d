/*@
 * what:    strtok(NULL) does not continue with a string of an earlier probe hit
 * stderr:  exact
 */
BEGIN { printf("%s\n", strtok("a b", " ")); exit(0); }
END { trace(strtok(NULL, " ")); }
