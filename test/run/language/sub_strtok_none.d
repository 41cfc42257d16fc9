/*@
 * what:    strtok(NULL) with no string in this firing faults
 * stderr:  exact
 */
BEGIN { trace(strtok(NULL, " ")); }
BEGIN { exit(0); }
END { trace(strtok(NULL, " ")); }
