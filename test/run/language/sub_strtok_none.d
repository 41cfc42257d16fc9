/*@
 * what:    strtok(NULL) without a previous string in the probe hit raises a fault
 * stderr:  exact
 */
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { exit(0); }
END { trace(strtok(NULL, " ")); }
