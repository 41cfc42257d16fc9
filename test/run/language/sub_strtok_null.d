/*@
 * what:    strtok() of a NULL variable faults, and only a literal NULL continues the previous string
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtok(nothing[1], " ")); }
BEGIN { exit(0); }
