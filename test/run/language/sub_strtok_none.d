/*@
 * what:    strtok(NULL) raises a fault if the probe hit has no earlier strtok() call
 * stderr:  exact
 */
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { exit(0); }
END { trace(strtok(NULL, " ")); }
