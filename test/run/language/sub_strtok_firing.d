/*@
 * what:    strtok() state does not carry over to another probe hit
 * stderr:  exact
 */
BEGIN { printf("%s\n", strtok("a b", " ")); exit(0); }
END { trace(strtok(NULL, " ")); }
