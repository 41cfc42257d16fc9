/*@
 * what:    substr() of a NULL string raises a fault
 * stderr:  exact
 */
string nothing[int];
BEGIN { trace(substr(nothing[1], 0)); }
BEGIN { exit(0); }
