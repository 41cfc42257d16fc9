/*@
 * what:    strtok() of a variable that holds a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(strtok(nothing[1], " ")); }
BEGIN { exit(0); }
